"""api 1.8: how large a body may be, for every operation, and what becomes of the connection of one that is larger."""

import json
import socket

import pytest

from contract import PATIENCE, reveal

ORDINARY = 1 << 20
# A form of a few fields, read for people who are not known yet.
SMALL = {"A7": 16 << 10, "A9": 16 << 10}


def limit(operation):
    return SMALL.get(operation.number, ORDINARY)


@pytest.fixture
def connect(world):
    opened = []

    def connect():
        connection = socket.create_connection((world.ann.address.hostname, world.ann.address.port), timeout=PATIENCE)
        opened.append(connection)
        return connection

    yield connect
    for connection in opened:
        connection.close()


def head(world, operation, *lines):
    text = [f"{operation.method} {operation.target(id=world.task)} HTTP/1.1", "Host: x",
            f"Authorization: Bearer {world.ann.token}", "Content-Type: application/json", *lines]
    return "\r\n".join(text).encode() + b"\r\n\r\n"


def answer(connection):
    """All that comes until the server closes the connection."""
    text = b""
    while piece := connection.recv(65536):
        text += piece
    return text


def is_refusal(text):
    first, _, body = text.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 413 "), text[:300]
    assert b"\r\nContent-Type: application/json\r\n" in first + b"\r\n", text[:300]
    assert b'"code":"PAYLOAD_TOO_LARGE"' in body and b'"error":"' in body, text[:600]
    assert body.count(b"PAYLOAD_TOO_LARGE") == 1
    return True


def test_a_length_over_the_limit_is_413_and_the_connection_ends(world, connect):
    """Before the body has come, whoever asks and for every operation."""
    before = reveal(world.house)
    for operation in world.operations:
        connection = connect()
        connection.sendall(head(world, operation, f"Content-Length: {limit(operation) + 1}"))
        assert is_refusal(answer(connection)), operation
    assert reveal(world.house) == before


def test_the_answer_is_seen_by_whoever_sends_everything_first(world, connect):
    for number in ("A15", "A7", "A18"):
        operation = world.by_number[number]
        connection = connect()
        size = 3 * ORDINARY
        connection.sendall(head(world, operation, f"Content-Length: {size}") + b" " * size)
        assert is_refusal(answer(connection)), operation


def test_who_asks_before_sending_is_refused_without_sending(world, connect):
    operation = world.by_number["A15"]
    connection = connect()
    connection.sendall(head(world, operation, f"Content-Length: {ORDINARY + 1}", "Expect: 100-continue"))
    assert is_refusal(answer(connection))
    connection = connect()
    body = b'{"title":"x","enrich":false}'
    connection.sendall(head(world, operation, f"Content-Length: {len(body)}", "Expect: 100-continue"))
    assert connection.recv(65536).startswith(b"HTTP/1.1 100 ")
    connection.sendall(body)
    assert connection.recv(65536).startswith(b"HTTP/1.1 201 ")


def test_a_body_without_a_length_is_refused_when_it_grows_too_large(world, connect):
    before = reveal(world.house)
    for operation in world.operations:
        connection = connect()
        connection.sendall(head(world, operation, "Transfer-Encoding: chunked"))
        size = limit(operation) + 1
        connection.sendall(f"{size:x}\r\n".encode() + b" " * size)
        assert is_refusal(answer(connection)), operation
    assert reveal(world.house) == before


def test_a_body_of_the_limit_is_read(world):
    """Blanks are JSON's own, so the body is as good as the example in it."""
    for number in ("A15", "A51", "A48", "A79"):
        operation = world.by_number[number]
        example = json.dumps(operation.example or {}).encode()
        reply = world.ann.send(operation.method, operation.path, example + b" " * (ORDINARY - len(example)))
        assert reply.status in (200, 201), (operation, reply)


def test_half_a_body_changes_nothing(world, connect):
    before = reveal(world.house)
    for number in ("A15", "A18", "A31"):
        connection = connect()
        connection.sendall(head(world, world.by_number[number], "Content-Length: 40") + b'{"title":"half"}')
        connection.close()
    assert world.ann.get("/api/tasks/counts")["total"] > 0
    assert reveal(world.house) == before


def test_others_are_served_meanwhile(world, connect):
    """Refused bodies that still come hold nobody up."""
    operation = world.by_number["A15"]
    for _ in range(50):
        connect().sendall(head(world, operation, f"Content-Length: {50 * ORDINARY}") + b" " * 10_000)
    assert world.ann.get("/api/tasks/counts")["total"] >= 0
