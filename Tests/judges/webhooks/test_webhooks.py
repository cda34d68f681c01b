"""Webhooks from end to end: the house as it runs, a receiver that is not ours, signatures by Python's hmac (api.md
section 5, D21, D22). A wait has an end only so that a hang fails; no test passes because something was fast."""

import datetime
import os
import re
import signal
import time

import pytest
from client import Refused
from house import House
from receiver import Gate, Receiver
from service import push_service

PATIENCE = 60


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < end, what
        time.sleep(0.02)
    return value


def kill_push(house):
    number = house.child("opentask-push")
    os.kill(number, signal.SIGKILL)
    until(lambda: house.child("opentask-push") not in (None, number), "push comes back")


def test_each_operation_tells_its_event_signed_with_the_task_as_it_is_then(hooked):
    api, receiver = hooked.api, hooked.receiver
    expected, states = [], []

    def done(event, state=None):
        expected.append(event)
        states.append(state)

    soon = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)).isoformat()
    task = hooked.make("Wäsche \"30°\" \\ 🧺", notes="a\nb\u0001", due_at=soon)
    number = task["id"]
    path = f"/api/tasks/{number}"
    done("task.created", task)
    api.call("PATCH", path, {"priority": 2})
    done("task.updated", api.task(number))
    api.post(path + "/snooze", {"delta_minutes": 90})
    done("task.snoozed", api.task(number))
    api.post(path + "/done")
    done("task.completed", api.task(number))
    api.post("/api/undo")
    done("task.updated", api.task(number))
    api.post("/api/redo")
    done("task.updated", api.task(number))
    api.call("DELETE", path)
    done("task.deleted")
    api.post(path + "/restore")
    done("task.restored", api.task(number))

    calls = receiver.wait(len(expected))
    assert [call.event for call in calls] == expected
    assert len({call.delivery for call in calls}) == len(calls)
    for call, event, state in zip(calls, expected, states):
        assert call.method == "POST" and call.path == "/hook?a=b"
        assert call.headers["Content-Type"] == "application/json"
        assert call.headers["User-Agent"].startswith("OpenTask/")
        assert call.is_signed_by(hooked.secret)
        assert call.json.keys() == {"event", "timestamp", "data"} and call.json["event"] == event
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", call.json["timestamp"])
        if state:
            assert call.json["data"]["task"] == state
    assert calls[6].json["data"] == {"task_id": number, "title": task["title"]}
    assert calls[2].json["data"]["previous_due_at"] == task["due_at"]
    assert calls[1].json["data"]["fields_changed"] == ["priority"]
    assert [call.json["data"].get("trigger") for call in calls[4:6]] == ["undo", "redo"]

    log = until(lambda: len(rows := hooked.log()) == len(calls) and rows, "all in the log")
    assert [row["payload"] for row in reversed(log)] == [call.body.decode() for call in calls]
    for row in log:
        assert row.keys() == {
            "id", "webhook_id", "event", "payload", "status_code", "error", "attempt", "created_at"}
        assert (row["status_code"], row["error"], row["attempt"]) == (200, None, 1)


def test_first_attempts_come_in_the_order_of_the_commits_one_at_a_time(hooked):
    numbers = [hooked.make(f"task {n}")["id"] for n in range(120)]
    calls = hooked.receiver.wait(120)
    assert [call.json["data"]["task"]["id"] for call in calls] == numbers
    for earlier, later in zip(calls, calls[1:]):
        assert earlier.left <= later.came


def test_a_failure_is_tried_again_after_one_and_five_seconds_and_then_given_up(hooked):
    hooked.receiver.answers = [500, 404, 503]
    hooked.make("x")
    calls = hooked.receiver.wait(3)
    assert len({call.delivery for call in calls}) == 1
    assert len({call.json["timestamp"] for call in calls}) == 3, "each attempt has its own time"
    assert all(call.is_signed_by(hooked.secret) for call in calls)
    assert calls[1].came - calls[0].left >= 1
    assert calls[2].came - calls[1].left >= 5
    until(lambda: hooked.queued() == 0, "given up")
    rows = hooked.log()
    assert [(row["attempt"], row["status_code"]) for row in rows] == [(3, 503), (2, 404), (1, 500)]
    assert all(row["error"] for row in rows)
    assert [row["payload"] for row in rows] == [call.body.decode() for call in reversed(calls)]
    assert len(hooked.receiver.calls) == 3


def test_a_retry_holds_up_no_later_event(hooked):
    hooked.receiver.answers = [500]
    first = hooked.make("first")["id"]
    later = [hooked.make(f"later {n}")["id"] for n in range(3)]
    calls = hooked.receiver.wait(5)
    assert [call.json["data"]["task"]["id"] for call in calls] == [first, *later, first]


def test_redirects_are_failures_and_are_not_followed(hooked):
    there = hooked.receiver.url + "/elsewhere"
    hooked.receiver.answers = [(302, {"Location": there}), (307, {"Location": there}), 200]
    hooked.make("x")
    calls = hooked.receiver.wait(3)
    assert [call.path for call in calls] == ["/hook?a=b"] * 3
    rows = until(lambda: len(rows := hooked.log()) == 3 and rows, "three attempts")
    assert [row["status_code"] for row in rows] == [200, 307, 302]
    assert rows[0]["error"] is None and "redirect" in rows[1]["error"]


def test_a_receiver_that_does_not_answer_in_time_has_not_taken_it(hooked):
    gate = Gate()
    hooked.receiver.answers = [gate]
    hooked.make("x")
    calls = hooked.receiver.wait(2)
    gate.open()
    assert calls[0].delivery == calls[1].delivery
    rows = until(lambda: len(rows := hooked.log()) == 2 and rows, "two attempts")
    assert [(row["attempt"], row["status_code"]) for row in rows] == [(2, 200), (1, None)]
    assert "2 s" in rows[1]["error"]


def test_a_receiver_that_is_not_there_is_told_when_it_is(folder):
    with House(folder) as house, Receiver() as probe:
        from conftest import Hooked

        port = probe.server.server_port
        hooked = Hooked(house, probe)
        probe.close()
        hooked.make("x")
        rows = until(lambda: hooked.log(), "an attempt")
        assert rows[-1]["status_code"] is None and "reached" in rows[-1]["error"]
        until(lambda: hooked.queued() == 0, "given up")
        assert [row["attempt"] for row in hooked.log()] == [3, 2, 1]
        assert port


def test_an_attempt_under_way_when_push_is_killed_is_repeated_with_its_delivery_id(hooked):
    gate = Gate()
    hooked.receiver.answers = [200, gate]
    numbers = [hooked.make(f"task {n}")["id"] for n in range(6)]
    hooked.receiver.wait(2)
    kill_push(hooked.house)
    gate.open()
    numbers += [hooked.make(f"after {n}")["id"] for n in range(3)]
    until(lambda: hooked.queued() == 0, "everything told")
    calls = hooked.receiver.calls
    assert calls[1].delivery == calls[2].delivery
    assert [call.json["data"]["task"]["id"] for call in calls] == [numbers[0], numbers[1], *numbers[1:]]
    assert all(call.is_signed_by(hooked.secret) for call in calls)
    assert all(row["attempt"] == 1 for row in hooked.log())


def test_attempts_are_counted_through_a_kill(hooked):
    hooked.receiver.answers = [500] * 5
    hooked.make("x")
    hooked.receiver.wait(2)
    until(lambda: len(hooked.log()) == 2, "the second attempt written down")
    kill_push(hooked.house)
    hooked.receiver.wait(3)
    until(lambda: hooked.queued() == 0, "given up")
    assert [row["attempt"] for row in hooked.log()] == [3, 2, 1]
    assert len({call.delivery for call in hooked.receiver.calls}) == 1 and len(hooked.receiver.calls) == 3


def test_an_inactive_webhook_is_tried_no_more_and_a_deleted_one_leaves_nothing(hooked):
    api, path = hooked.api, f"/api/webhooks/{hooked.hook['id']}"
    hooked.receiver.answers = [500]
    hooked.make("x")
    until(lambda: hooked.log(), "an attempt")
    api.call("PATCH", path, {"active": False})
    until(lambda: hooked.queued() == 0, "dropped")
    hooked.make("nobody is told")
    until(lambda: hooked.queued() == 0, "nothing to tell")
    assert len(hooked.log()) == 1 and len(hooked.receiver.calls) == 1
    api.call("PATCH", path, {"active": True})
    hooked.make("told again")
    assert hooked.receiver.wait(2)[1].json["data"]["task"]["title"] == "told again"

    hooked.receiver.answers = [500]
    hooked.make("y")
    until(lambda: len(hooked.log()) == 3, "an attempt")
    api.call("DELETE", path)
    until(lambda: hooked.queued() == 0, "dropped")
    with pytest.raises(Refused, match="^404"):
        hooked.log()
    assert len(hooked.receiver.calls) == 3


def test_a_planned_restart_repeats_nothing_that_was_answered(hooked):
    gate = Gate()
    hooked.receiver.answers = [gate]
    hooked.make("x")
    hooked.receiver.wait(1)
    number = hooked.house.child("opentask-push")
    os.kill(number, signal.SIGTERM)
    gate.open()
    until(lambda: hooked.house.child("opentask-push") not in (None, number), "push comes back")
    hooked.make("y")
    calls = hooked.receiver.wait(2)
    assert [call.json["data"]["task"]["title"] for call in calls] == ["x", "y"]


# Where it may lead (D21), told to push alone: nothing but the address that is dialled protects here.


def event(service, url):
    return service.message(
        "webhook", event={"webhook": 1, "url": url, "secret": "k", "event": "task.created", "data": "{}"})


def attempts(service, count):
    def rows():
        found = service.call("GetWebhookLog", user=1, webhook=1, limit=50)["attempts"]
        return len(found) >= count and found

    return until(rows, f"{count} attempts")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
def test_a_private_address_is_never_dialled_where_that_is_forbidden_whatever_its_name(folder, receiver, host):
    with push_service(folder, {"OPENTASK_WEBHOOK_PRIVATE": "false"}) as service:
        service.deliver(event(service, f"http://{host}:{receiver.server.server_port}/"))
        row = attempts(service, 1)[0]
        assert row.get("status") is None and "private" in row["error"], row
    assert receiver.calls == []


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.1.1]", "2851995649"])
def test_a_link_local_address_is_never_dialled(folder, host):
    with push_service(folder, {}) as service:
        service.deliver(event(service, f"http://{host}/latest/meta-data"))
        row = attempts(service, 1)[0]
        assert row.get("status") is None and "link-local" in row["error"], row


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_home_address_is_dialled_by_default(folder, receiver, host):
    with push_service(folder, {}) as service:
        service.deliver(event(service, f"http://{host}:{receiver.server.server_port}/"))
        assert receiver.wait(1)[0].is_signed_by("k")
        assert attempts(service, 1)[0]["status"] == 200
