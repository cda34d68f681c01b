"""examples/enrich-python: run as it is, asked by the stock Python client of Varlink and by JSON and NUL."""

import signal

import pytest
import varlink
from processes import CONTEXT, EXAMPLE, NAME, ROOT, Program, Talk, enrich, listen


@pytest.fixture
def plugin(tmp_path):
    """The plug-in, answering at python.sock."""
    path = tmp_path / "python.sock"
    program = Program([EXAMPLE], "connection", [listen(path)])
    program.path = path
    program.start()
    yield program
    if program.process.poll() is None:
        program.stop()


def read(plugin, text):
    return Talk(plugin.path).call(f"{NAME}.Enrich", enrich(text))["parameters"]["result"]


def test_it_has_at_most_80_lines_and_the_interface_of_the_house():
    assert len(EXAMPLE.read_text().splitlines()) <= 80
    text = (EXAMPLE.parent / f"{NAME}.varlink").read_text()
    assert text == (ROOT / "shared" / "Interfaces" / "Texts" / f"{NAME}.varlink").read_text()


def test_the_stock_client_finds_its_interface_and_calls_it(plugin):
    with varlink.Client(address=f"unix:{plugin.path}") as client:
        assert NAME in client.get_interfaces()
        with client.open(NAME) as enricher:
            about = enricher.GetCapabilities([1])
            assert about["protocol"] == 1 and about["kinds"] == ["task"]
            assert enricher.CheckHealth() == {"state": "ready"}
            answer = enricher.Enrich("r", 1, 60000, "task", "pay rent friday", CONTEXT)
            assert answer["result"]["title"] == "Pay rent"
            assert answer["result"]["target"] == {"date": "2026-01-16"}  # the client leaves nulls out
            with pytest.raises(varlink.VarlinkError) as refused:
                enricher.GetCapabilities([7])
            assert refused.value.error() == f"{NAME}.UnsupportedProtocol"


# Rows of docs/spec/enrich.md, 3.8, that its fields cover, and what follows from 3.4.
@pytest.mark.parametrize("text, title, target, priority", [
    ("Buy milk", "Buy milk", None, 0),
    ("Pay rent friday", "Pay rent", ("2026-01-16", None), 0),
    ("Call Sam p1", "Call Sam", None, 4),
    ("2pm friday haircut", "Haircut", ("2026-01-16", "14:00"), 0),
    ("Return call tomorrow at 9:15am", "Return call", ("2026-01-16", "09:15"), 0),
    ("Standup at 9am", "Standup", ("2026-01-16", "09:00"), 0),
    ("Pick up kids 3pm", "Pick up kids", ("2026-01-15", "15:00"), 0),
    ("Wash the car on thursday, p4", "Wash the car", ("2026-01-22", None), 1),
    ("tomorrow 9am", "Tomorrow 9am", ("2026-01-16", "09:00"), 0),
    ("Draft tomorrow's agenda", "Draft tomorrow's agenda", None, 0),
])
def test_it_reads(plugin, text, title, target, priority):
    result = read(plugin, text)
    assert result["title"] == title
    assert result["target"] == (target and {"date": target[0], "time": target[1]})
    assert result["priority"] == priority


def test_further_lines_are_notes(plugin):
    assert read(plugin, "Buy paint\nblue, 2 litres")["notes"] == "blue, 2 litres"


def test_two_calls_at_once_are_answered_in_order(plugin):
    talk = Talk(plugin.path)
    talk.send(f"{NAME}.Enrich", enrich("one p1"))
    talk.send(f"{NAME}.Enrich", enrich("two p2"))
    assert [talk.receive()["parameters"]["result"]["title"] for _ in range(2)] == ["One", "Two"]


def test_errors_have_their_names(plugin):
    talk = Talk(plugin.path)
    assert talk.call(f"{NAME}.Enrich", enrich(" "))["error"] == f"{NAME}.TextEmpty"
    assert talk.call(f"{NAME}.Enrich", enrich("x", kind="quota"))["error"] == f"{NAME}.UnsupportedKind"
    assert talk.call(f"{NAME}.Enrich", {"kind": "task"})["error"] == "org.varlink.service.InvalidParameter"
    assert talk.call(f"{NAME}.Sing")["error"] == "org.varlink.service.MethodNotFound"
    assert talk.call(f"{NAME}.CheckHealth") == {"parameters": {"state": "ready"}}


@pytest.mark.parametrize("garbage", [b"no JSON\0", b"\xc3\x28\0", b"[1]\0", b"{\"method\":", b"x" * (1 << 21)])
def test_garbage_ends_that_conversation_and_no_other(plugin, garbage):
    bad = Talk(plugin.path)
    bad.socket.sendall(garbage[:1 << 20])
    try:
        bad.socket.sendall(garbage[1 << 20:])
    except OSError:
        pass  # it was told enough
    bad.socket.close()
    assert read(plugin, "Buy milk")["title"] == "Buy milk"


def test_what_was_asked_before_sigterm_is_answered(plugin):
    talk = Talk(plugin.path)
    assert talk.call(f"{NAME}.CheckHealth")  # the conversation has begun
    for _ in range(100):
        talk.send(f"{NAME}.Enrich", enrich("one p1"))
    plugin.process.send_signal(signal.SIGTERM)
    assert all(talk.receive()["parameters"]["result"]["priority"] == 4 for _ in range(100))
    assert talk.receive() is None
    assert plugin.process.wait(60) == 0
