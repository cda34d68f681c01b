"""Who asks: every operation of the document by nobody, with a bad token, and by somebody whose things they are not."""

import pytest

from contract import reveal

# So that nothing changes but by what is asked here.
ENVIRONMENT = {"OPENTASK_AI_ENABLED": "false"}

# What another's shared project answers to a write (api 1.13); the quota prompts name quotas in their body (400).
SHARED = {"A54": 403, "A55": 403}


@pytest.fixture(autouse=True)
def nothing_changes(world):
    """Whatever was tried, what people have is what they had."""
    before = reveal(world.house)
    yield
    after = reveal(world.house)
    assert {table: set(before[table]) ^ set(after[table]) for table in after if before[table] != after[table]} == {}


def is_envelope(reply, code):
    body = reply.json
    assert reply.headers["Content-Type"] == "application/json", reply
    assert reply.headers["Cache-Control"] == "no-store", reply
    assert body["code"] == code and body["error"], reply
    return True


def test_by_nobody_everything_that_is_not_public_is_401(world):
    asked = 0
    for operation in world.operations:
        if operation.is_public or operation.number == "A78":
            continue
        for body in (operation.example, None, b"{", {}):
            reply = world.nobody.send(operation.method, operation.target(id=world.task), body)
            assert reply.status == 401, (operation, body, reply)
            assert is_envelope(reply, "UNAUTHORIZED")
            asked += 1
    assert asked > 60


@pytest.mark.parametrize("header", [
    ("Authorization", "Bearer " + "0" * 64),
    ("Authorization", "Bearer short"),
    ("Authorization", "Bearer "),
    ("Authorization", "bearer " + "0" * 64),
    ("Authorization", "Basic YW5uOmNvcnJlY3QgaG9yc2UgYmF0dGVyeQ=="),
    ("Cookie", "authjs.session-token=" + "0" * 64),
    ("Cookie", "__Secure-authjs.session-token=x"),
    ("X-Remote-User", "ann"),
])
def test_with_bad_credentials_it_is_the_same(world, header):
    for operation in world.operations:
        if operation.is_public:
            continue
        reply = world.nobody.send(
            operation.method, operation.target(id=world.task), operation.example, headers=[header])
        assert reply.status == 401, (operation, header, reply)
        assert is_envelope(reply, "UNAUTHORIZED")


def test_a_bad_token_beside_a_good_session_is_401(world):
    """1.2: the first method that is present decides."""
    reply = world.ann.send("POST", "/api/auth/session-from-token")
    cookie = reply.headers["Set-Cookie"].split(";")[0]
    assert world.nobody.send("GET", "/api/auth/me", headers=[("Cookie", cookie)]).status == 200
    for operation in world.operations:
        if operation.is_public:
            continue
        reply = world.nobody.send(
            operation.method, operation.target(id=world.task), operation.example,
            headers=[("Cookie", cookie), ("Authorization", "Bearer " + "f" * 64)])
        assert reply.status == 401, (operation, reply)


def test_the_public_ones_answer_nobody(world):
    public = [operation for operation in world.operations if operation.is_public]
    assert {operation.number for operation in public} >= {"A1", "A2", "A5", "A6", "A7", "A8", "A9", "A78", "A81"}
    for operation in public:
        if operation.method == "GET":
            assert world.nobody.send("GET", operation.target()).status == 200, operation


def test_another_s_things_are_404(world):
    """Every operation that names a thing in its path, for everything that Ann has."""
    asked = set()
    for operation in world.operations:
        known = world.ids_by_path().get(operation.path.split("{")[0])
        if "{id}" not in operation.path or not known:
            continue
        for number in known:
            if number == world.shared and operation.path.startswith("/api/projects/"):
                expected = SHARED.get(operation.number)
                if expected is None:
                    continue
            else:
                expected = 404
            for body in bodies(operation):
                reply = world.bob.send(operation.method, operation.target(id=number), body)
                assert reply.status == expected, (operation, number, body, reply)
                assert is_envelope(reply, "NOT_FOUND" if expected == 404 else "FORBIDDEN")
        asked.add(operation.number)
    named = {
        operation.number for operation in world.operations
        if operation.parameters_in("path") and not operation.path.startswith("/api/labels/")}
    assert asked == named, "an operation that names a thing is not asked for"


def bodies(operation):
    """Ones that the operation would take from the owner."""
    if operation.example is not None:
        return [operation.example]
    return [None, {}]


def test_what_names_things_in_its_body_refuses_another_s(world):
    """Bulk operations, prompts, undo: whole call, nothing done."""
    future = "2190-01-01T10:00:00Z"
    ids = [world.task, world.recurring]
    calls = {
        "A28": ({"ids": ids}, 400),
        "A29": ({"ids": ids}, 400),
        "A30": ({"ids": ids, "until": future}, 400),
        "A31": ({"delta_minutes": 60, "include_task_ids": ids}, 400),
        "A32": ({"ids": ids, "changes": {"title": "mine"}}, 400),
        "A33": ({"ids": ids}, 400),
        "A36": ({"keys": [f"q:{world.quota}:1:2026-01-01"]}, 400),
        "A37": ({"keys": [f"q:{world.quota}:1:2026-01-01"]}, 400),
        "A38": ({"keys": [f"q:{world.quota}:1:2026-01-01"]}, 400),
        "A40": ({"task_ids": [world.undated]}, 400),
        "A41": ({"task_ids": [world.undated]}, 400),
        "A42": ({"task_id": world.undated}, 400),
        "A78": ({"action": "done", "task_id": world.task, "token": world.bob.token}, 404),
    }
    for number, (body, expected) in calls.items():
        if not world.has(number):
            continue
        operation = world.by_number[number]
        reply = world.bob.send(operation.method, operation.path, body)
        assert reply.status in (expected, 404), (operation, reply)
        assert "error" in reply.json and "code" in reply.json


def test_lists_show_a_stranger_nothing(world):
    """No operation that reads says a word of what is Ann's alone."""
    for operation in world.operations:
        if operation.method != "GET" or "{" in operation.path or operation.is_public:
            continue
        reply = world.bob.send("GET", operation.path)
        text = reply.body.decode(errors="replace")
        for secret in ("Secret plan", "nobody reads this", "Push-ups", "errand", world.ann.token):
            assert secret not in text, (operation, secret)


def test_a_write_by_session_from_another_site_is_403(world):
    """1.2: every operation that writes, with Ann's own session and another page's Origin."""
    reply = world.ann.send("POST", "/api/auth/session-from-token")
    cookie = reply.headers["Set-Cookie"].split(";")[0]
    for operation in world.operations:
        if operation.is_public or operation.method == "GET" or operation.number == "A4":
            continue
        for origin in ("https://evil.example", "null", "http://127.0.0.1.evil.example"):
            reply = world.nobody.send(
                operation.method, operation.target(id=world.task), operation.example,
                headers=[("Cookie", cookie), ("Origin", origin)])
            assert reply.status == 403, (operation, origin, reply)
            assert is_envelope(reply, "FORBIDDEN")


def test_ann_herself_is_let_in(world):
    """The walk would prove nothing if everybody was refused."""
    for operation in world.operations:
        if operation.method == "GET" and not operation.is_public and "{" not in operation.path:
            reply = world.ann.send("GET", operation.path + QUERIES.get(operation.number, ""))
            allowed = (404,) if operation.number == "A76" else (200, 503)  # there was no run
            assert reply.status in allowed, (operation, reply)


# What has to be in the query.
QUERIES = {"A64": "?format=json", "A76": "?session_id=x"}
