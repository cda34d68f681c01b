"""opentask-enrich as a process, between a queue and enrichers that are not ours."""

import signal
import sys
from pathlib import Path

import pytest
import varlink
from processes import BINARY, CONTEXT, EXAMPLE, Program, Queue, Talk, listen

pytestmark = pytest.mark.skipif(not BINARY.exists(), reason=f"not built: {BINARY}")


class House:
    def __init__(self, run):
        (run / "enrichers").mkdir()
        self.run = run
        self.queue = Queue(run / "api.sock")
        self.door = run / "enrich.sock"
        self.service = Program(
            [BINARY], "varlink:builtin", [listen(self.door), listen(run / "enrichers" / "builtin.sock")],
            {"OPENTASK_RUN": str(run), "LOG_LEVEL": "info"})
        self.python = Program([EXAMPLE], "connection", [listen(run / "enrichers" / "python.sock")])

    def poke(self):
        Talk(self.door).send("org.opentask.enrich.Poke", oneway=True)


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    house.service.start()
    house.python.start()
    yield house
    for program in (house.service, house.python):
        if program.process.poll() is None:
            program.stop()


def test_a_poke_has_a_text_read_and_reported(house):
    house.queue.wait(lambda queue: queue.claims == 1)  # at its start it looks by itself
    house.queue.add(["Call the plumber tomorrow at 9am !high #home"])
    house.poke()
    assert house.queue.wait(lambda queue: queue.reports)
    result = house.queue.reports[1][0]["result"]
    assert result["title"] == "Call the plumber"
    assert result["target"] == {"date": "2026-01-16", "time": "09:00"}
    assert (result["priority"], result["project"]) == (3, "Home")


def test_the_stock_client_calls_every_method_of_the_door(house):
    with varlink.Client(address=f"unix:{house.door}") as client, client.open("org.opentask.enrich") as door:
        assert door.Poke() == {}
        status = door.Status()
        assert status["breakers"] == [] and status["running"] == 0
        assert [e["name"] for e in door.List()["enrichers"]] == ["builtin", "python"]
        assert all(e["state"] == "ready" for e in door.List()["enrichers"])
        assert door.Test("builtin")["passed"] is True
        preview = door.Preview("python", "task", "pay rent friday", CONTEXT)
        assert preview["enricher"] == "python" and preview["result"]["title"] == "Pay rent"
        with pytest.raises(varlink.VarlinkError):
            door.Test("nobody")


def test_500_texts_through_swaps_and_restarts_are_each_reported_once(house):
    house.queue.add([f"buy {n} apples tomorrow" for n in range(500)])
    for turn in range(10):
        with house.queue.lock:
            house.queue.enricher = ("python", "builtin")[turn % 2]
        house.poke()
        goal = (turn + 1) * 40
        assert house.queue.wait(lambda queue: len(queue.reports) >= goal)
        program = (house.python, house.service)[turn % 2]
        code, log = program.stop()
        assert code == 0, log
        program.start()
    house.poke()
    assert house.queue.wait(lambda queue: len(queue.reports) == 500)
    assert all(len(reports) == 1 for reports in house.queue.reports.values())
    assert all("result" in reports[0] for reports in house.queue.reports.values())
    assert {reports[0]["log"]["enricher"] for reports in house.queue.reports.values()} == {"builtin", "python"}
    assert house.queue.unknown == 0


# Tells what it can do, takes a text, and is gone.
DIES = """
import json, os, signal, socket
connection = socket.socket(fileno=3).accept()[0]
connection.recv(65536)
connection.sendall(json.dumps({"parameters": {
    "protocol": 1, "name": "dies", "version": "1", "kinds": [], "fields": [], "languages": [], "max_text_bytes": 10000,
    "max_parallel": 1, "typical_ms": 1, "deterministic": True, "uses_network": False,
    "wants_user_context": False}}).encode() + b"\\0")
connection.recv(65536)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_enricher_killed_in_the_middle_costs_one_attempt_and_no_text(house):
    listener = listen(house.run / "enrichers" / "fragile.sock")
    first = Program([sys.executable, "-c", DIES], "connection", [listener])
    first.start()
    house.queue.enricher = "fragile"
    house.queue.add(["buy milk tomorrow"])
    house.poke()
    assert house.queue.wait(lambda queue: queue.waiting and queue.failures)
    assert house.queue.failures == {1: ["ConnectionLost"]}
    assert first.process.wait(60) == -signal.SIGKILL
    second = Program([EXAMPLE], "connection", [listener])
    second.start()
    house.poke()
    assert house.queue.wait(lambda queue: queue.reports)
    assert house.queue.reports[1][0]["result"]["title"] == "Buy milk"
    second.stop()


def test_it_does_nothing_while_nothing_waits(house):
    assert house.queue.wait(lambda queue: queue.claims == 1)
    talk = Talk(house.door)
    status = talk.call("org.opentask.enrich.Status")
    assert status["parameters"]["running"] == 0

    def switches():
        threads = Path(f"/proc/{house.service.process.pid}/task").glob("*/status")
        return [line for file in threads for line in file.read_text().splitlines() if "ctxt_switches" in line]

    def is_quiet_for_two_seconds():
        before = switches()
        assert not house.queue.wait(lambda queue: queue.claims > 1, seconds=2)
        return switches() == before

    # The first window may still see threads that end; a service that polls is never quiet.
    assert any(is_quiet_for_two_seconds() for _ in range(5))


def test_a_missing_socket_is_said_with_what_to_do(tmp_path):
    alone = Program([BINARY], "varlink", [listen(tmp_path / "a.sock")], {"OPENTASK_RUN": str(tmp_path)})
    alone.start()
    _, log = alone.process.communicate(timeout=60)
    assert alone.process.returncode == 78
    assert "builtin" in log
