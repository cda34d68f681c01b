"""Web Push by opentask-push as a process, read by http_ece and judged by PyJWT."""

import json
import threading
import time

import pytest
from http2_double import Answer
from messages import titles


def test_n18_an_alert_reaches_the_browser_readable_by_it_alone(house, push):
    browser = house.web.subscribe()
    push.register(browser.registration)
    push.deliver(push.alert(42, title="Water the plants 🌱"))
    (arrived,) = house.web.wait(lambda pushes: len(pushes) == 1)
    assert arrived.status == 201
    assert arrived.message["data"].pop("id").startswith("test-")
    assert arrived.message == {
        "title": "Water the plants 🌱",
        "body": "Over target",
        "tag": "task-42",
        "renotify": True,
        "actions": [{"action": "done", "title": "Done"}, {"action": "snooze", "title": "+1hr"}],
        "data": {
            "url": "/?task=42",
            "taskId": 42,
            "dueAt": "2026-03-01T09:00:00.000Z",
            "priority": 2,
            "overdueCount": 3,
        },
    }
    assert arrived.headers["ttl"] == "3600"
    assert arrived.headers["urgency"] == "normal"
    assert arrived.claims["sub"] == "mailto:house@example.org"
    assert arrived.claims["k"] == push.call("GetVapidKey")["public_key"]
    assert "Water" not in json.dumps(arrived.headers)


def test_n18_a_repeat_has_the_topic_of_the_one_it_replaces_and_no_other_has(house, push):
    push.register(house.web.subscribe().registration)
    push.deliver(push.alert(1), push.alert(2), push.alert(1))
    pushes = house.web.wait(lambda pushes: len(pushes) == 3)
    topics = {}
    for arrived in pushes:
        topics.setdefault(arrived.message["tag"], set()).add(arrived.headers["topic"])
    assert len(topics["task-1"]) == 1 and len(topics["task-2"]) == 1
    assert topics["task-1"] != topics["task-2"]


def test_an_urgent_and_a_quiet_alert_say_so(house, push):
    push.register(house.web.subscribe().registration)
    push.deliver(push.alert(1, urgency="high", ttl_seconds=7200))
    push.deliver(push.alert(2, silent=True, sound=False, web_actions=False, urgency="very_low"))
    loud, quiet = sorted(
        house.web.wait(lambda pushes: len(pushes) == 2), key=lambda p: p.message["tag"]
    )
    assert (loud.headers["urgency"], loud.headers["ttl"]) == ("high", "7200")
    assert quiet.headers["urgency"] == "very-low"
    assert quiet.message["silent"] is True and quiet.message["renotify"] is False
    assert "actions" not in quiet.message


def test_an_alert_that_is_put_off_leaves_when_its_time_has_come_and_holds_up_no_other(house, push):
    push.register(house.web.subscribe().registration)
    then = int(time.time()) + 3
    push.deliver({**push.alert(1), "not_before": then}, push.alert(2))
    pushes = house.web.wait(lambda pushes: len(pushes) == 2)
    assert time.time() >= then
    assert [arrived.message["tag"] for arrived in pushes] == ["task-2", "task-1"]


def test_an_alert_that_is_put_off_is_dropped_by_the_dismissal_of_its_task(house, push):
    push.register(house.web.subscribe().registration)
    push.deliver({**push.alert(1), "not_before": int(time.time()) + 3600})
    push.deliver(push.message("dismiss", dismiss={"task_ids": [1], "slot_ids": []}))
    push.wait_idle()
    assert [entry["reason"] for entry in push.log_of() if entry["outcome"] == "dropped"] == ["dismissed"]


def test_n40_a_dismissal_reaches_every_browser_of_the_user_and_of_nobody_else(house, push):
    mine, also_mine, other = (house.web.subscribe() for _ in range(3))
    push.register(mine.registration)
    push.register(also_mine.registration)
    push.register(other.registration, user=2)
    push.deliver(push.message("dismiss", dismiss={"task_ids": [1, 2], "slot_ids": []}))
    push.deliver(push.message("dismiss_all"))
    pushes = house.web.wait(lambda pushes: len(pushes) == 4)
    for browser in (mine, also_mine):
        got = [p.message for p in pushes if p.subscription is browser]
        assert got == [{"type": "dismiss", "taskIds": [1, 2]}, {"type": "dismiss-all"}]


def test_a_message_with_an_id_that_was_had_is_accepted_and_dropped(house, push):
    push.register(house.web.subscribe().registration)
    alert = push.alert(1)
    push.deliver(alert, alert)
    push.deliver(alert)
    push.deliver(push.alert(2, title="last"))
    push.wait_idle()
    assert sorted(titles(house.web.seen())) == ["Task 1", "last"]
    push.stop()
    push.start()
    push.deliver(alert, push.alert(3, title="after the restart"))
    push.wait_idle()
    assert sorted(titles(house.web.seen())) == ["Task 1", "after the restart", "last"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_dropped(house, push, status):
    gone, there = house.web.subscribe(), house.web.subscribe()
    push.register(gone.registration)
    house.web.script(Answer(status))
    push.deliver(push.alert(1))
    push.wait_until(lambda s: s["subscriptions"] == 0)
    push.register(there.registration)
    push.deliver(push.alert(2))
    push.wait_idle()
    assert [p.subscription for p in house.web.seen()] == [gone, there]
    failed = next(e for e in push.log_of() if e["outcome"] == "failed")
    assert failed["status"] == status


@pytest.mark.parametrize("status", [400, 401, 403, 413, 422])
def test_a_refusal_ends_the_message_with_a_reason_and_keeps_the_subscription(house, push, status):
    push.register(house.web.subscribe().registration)
    house.web.script(Answer(status), Answer(status))
    push.deliver(push.alert(1), push.alert(2))
    push.wait_idle()
    assert push.call("Status")["subscriptions"] == 1
    failed = [e for e in push.log_of() if e["outcome"] == "failed"]
    assert [e["status"] for e in failed] == [status, status] and all(e["reason"] for e in failed)
    push.deliver(push.alert(3, title="still there"))
    house.web.wait(lambda pushes: "still there" in titles(pushes))
    said = [line for line in push.log if "VAPID_EMAIL" in line]
    assert len(said) == (1 if status in (400, 401, 403) else 0), "a fault of the keys is said once"


@pytest.mark.parametrize(
    "trouble", [Answer(429, {"retry-after": "2"}), Answer(503, {"retry-after": "2"})]
)
def test_retry_after_is_honoured_and_the_message_arrives_once(house, push, trouble):
    push.register(house.web.subscribe().registration)
    house.web.script(trouble)
    push.deliver(push.alert(1))
    first, second = house.web.wait(lambda pushes: len(pushes) == 2)
    assert second.request.arrived - first.request.arrived >= 2
    push.wait_idle()
    assert [p.status for p in house.web.seen()] == [trouble.status, 201]


@pytest.mark.parametrize(
    "trouble", [Answer(500), Answer(reset=True), Answer(drop=True)], ids=["500", "reset", "drop"]
)
def test_what_broke_is_tried_again(house, push, trouble):
    push.register(house.web.subscribe().registration)
    house.web.script(trouble)
    push.deliver(push.alert(1))
    house.web.wait(lambda pushes: any(p.request.answer is house.web.default for p in pushes))
    push.wait_idle()
    assert sum(p.request.answer is house.web.default for p in house.web.seen()) == 1


def test_while_a_service_is_ill_nothing_later_overtakes_for_that_device(house, push):
    push.register(house.web.subscribe().registration)
    house.web.script(Answer(503, {"retry-after": "1"}))
    push.deliver(push.alert(1, title="first"))
    house.web.wait(lambda pushes: len(pushes) == 1)
    push.wait_until(lambda s: s["queued"] == 1)
    push.deliver(push.alert(2, title="second"))
    push.wait_idle()
    assert titles(house.web.seen()) == ["first", "first", "second"]


def test_alerts_of_one_collapse_id_leave_one_after_the_other(house, push):
    push.register(house.web.subscribe().registration)
    hold = threading.Event()
    house.web.script(Answer(hold=hold))
    push.deliver(push.alert(1, title="one"))
    house.web.wait(lambda pushes: len(pushes) == 1)
    push.deliver(push.alert(1, title="two"), push.alert(2, title="other"))
    house.web.wait(lambda pushes: titles(pushes) == ["one", "other"])
    hold.set()
    push.wait_idle()
    assert titles(house.web.seen()) == ["one", "other", "two"]


def test_n41_an_alert_that_waits_is_dropped_when_its_task_is_dismissed(house, push):
    push.register(house.web.subscribe().registration)
    house.web.script(Answer(503, {"retry-after": "1"}))
    push.deliver(push.alert(1, title="dismissed"))
    house.web.wait(lambda pushes: len(pushes) == 1)
    push.deliver(push.alert(1, title="dismissed too"), push.alert(2, title="another task"))
    push.deliver(push.message("dismiss", dismiss={"task_ids": [1], "slot_ids": []}))
    push.deliver(push.alert(1, title="decided later"))
    push.wait_idle()
    after = house.web.seen()[1:]
    assert [p.message.get("title") or p.message["type"] for p in after] == [
        "another task",
        "dismiss",
        "decided later",
    ]
    dropped = [e["reason"] for e in push.log_of() if e["outcome"] == "dropped"]
    assert dropped == ["dismissed", "dismissed"]


def test_a_message_that_has_expired_is_dropped_with_a_line_in_the_log(house, push):
    push.register(house.web.subscribe().registration)
    now = int(time.time())
    late = push.alert(1, title="late", at=now - 100)
    late["expires_at"] = now - 1
    push.deliver(late, push.alert(2, title="in time"))
    push.wait_idle()
    assert titles(house.web.seen()) == ["in time"]
    assert [e["reason"] for e in push.log_of() if e["outcome"] == "dropped"] == ["expired"]


def test_unregistered_browsers_and_forgotten_users_get_nothing(house, push):
    mine, also_mine, other = (house.web.subscribe() for _ in range(3))
    push.register(mine.registration)
    push.register(also_mine.registration)
    push.register(other.registration, user=2)
    foreign = push.message("unregister", 2, registration=mine.registration)
    push.deliver(foreign)  # A84: one's own only
    push.deliver(push.message("unregister", registration=also_mine.registration))
    push.deliver(push.message("forget_user", 2))
    push.deliver(push.alert(1), push.alert(1, user=2))
    push.wait_idle()
    assert [p.subscription for p in house.web.seen()] == [mine]
    assert [e["reason"] for e in push.log_of(2)] == ["no device"], "of the alert that came afterwards"


def test_a_browser_that_somebody_else_registers_is_his(house, push):
    browser = house.web.subscribe()
    push.register(browser.registration, user=1)
    push.register(browser.registration, user=2)
    push.deliver(push.alert(1, user=1), push.alert(2, user=2))
    push.wait_idle()
    assert titles(house.web.seen()) == ["Task 2"]
    assert push.call("Status")["subscriptions"] == 1


def test_a82_the_test_notification_is_told_whether_it_arrived(house, push):
    browser = house.web.subscribe()
    push.register(browser.registration)
    assert push.call("TestWebPush", user=1, endpoint=browser.endpoint) == {"sent": True}
    (arrived,) = house.web.seen()
    assert arrived.message["test"] is True
    house.web.script(Answer(403))
    reply = push.call("TestWebPush", user=1)
    assert reply["sent"] is False and "403" in reply["reason"]
    reply = push.call("TestWebPush", user=1, endpoint="https://localhost/other")
    assert reply["sent"] is False and reply["reason"]
