"""opentask-push as a process, judged by implementations that are not ours: h2, http_ece, PyJWT, varlink."""

import json
import os
import stat
import subprocess
import threading
import time

import pytest
import varlink
from cryptography.hazmat.primitives.asymmetric import ec
from doubles import Answer, b64, point, unb64
from service import BINARY, CallError, push_service

BUNDLE = "org.example.opentask"


def apns(token, bundle=BUNDLE, environment="production", channel="apns", **more):
    return {
        "channel": channel,
        "device_token": token,
        "bundle_id": bundle,
        "environment": environment,
        **more,
    }


def titles(pushes):
    return [push.message.get("title") for push in pushes]


# The interface


def test_a_stock_varlink_client_reads_the_interface_and_calls_every_method(push):
    with varlink.Client(f"unix:{push.path}") as client:
        info = client.get_interface("org.opentask.push")
        methods = {name for name, kind in info.members.items() if type(kind).__name__ == "_Method"}
        assert methods == {"Deliver", "TestWebPush", "GetVapidKey", "Status", "GetLog", "GetWebhookLog", "GetChannels"}
        with client.open("org.opentask.push") as service:
            key = service.GetVapidKey()
            assert key["configured"] and len(unb64(key["public_key"])) == 65
            assert service.Deliver([])["accepted"] == []
            assert service.TestWebPush(1, None)["sent"] is False
            assert service.Status()["queued"] == 0
            assert service.GetLog(1, 10, None)["entries"] == []
            assert service.GetWebhookLog(1, 1, 10)["attempts"] == []
            assert service.GetChannels(1) == {"subscriptions": 0, "devices": 0}


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"messages": 1},
        {"messages": [{"id": "x"}]},
        {"messages": [{"id": "", "user": 1, "kind": "dismiss_all", "at": 1}]},
        {"messages": [{"id": "x", "user": 1, "kind": "something", "at": 1}]},
    ],
)
def test_messages_of_a_wrong_shape_are_refused_by_name(push, parameters):
    with pytest.raises(CallError) as error:
        push.call("Deliver", **parameters)
    assert error.value.name == "org.varlink.service.InvalidParameter"
    assert push.call("Status")["queued"] == 0


# Web Push


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


# Which endpoints


def test_endpoints_in_the_house_are_refused_unless_allowed(tmp_path, house):
    environment = {k: v for k, v in house.environment.items() if k != "OPENTASK_PUSH_PRIVATE"}
    folder = tmp_path / "strict"
    folder.mkdir()
    with push_service(folder, environment) as push:
        registration = house.web.subscribe().registration
        push.register(registration)
        push.register({**registration, "endpoint": "https://10.0.0.1/x"})
        push.register({**registration, "endpoint": "http://push.example.org/x"})
        push.deliver(push.alert(1))
        push.wait_idle()
        assert push.call("Status")["subscriptions"] == 0
        assert [e["outcome"] for e in push.log_of()] == ["dropped", *["refused"] * 3]
        assert house.web.seen() == []


def test_the_address_that_is_dialled_is_judged_as_well(tmp_path, house):
    """What a public name leads to is only known when it is dialled: APNs' host stands in for such a name here."""
    environment = {k: v for k, v in house.environment.items() if k != "OPENTASK_PUSH_PRIVATE"}
    folder = tmp_path / "strict"
    folder.mkdir()
    with push_service(folder, environment) as push:
        push.register(apns(house.apns.device()))
        push.deliver(push.alert(1))
        push.wait_idle()
        failed = next(e for e in push.log_of() if e["outcome"] == "failed")
        assert "private network" in failed["reason"]
        assert house.apns.connections == 0


# Restarts


def test_sigterm_with_a_full_queue_loses_nothing_and_repeats_nothing(house, push):
    browsers = [house.web.subscribe() for _ in range(5)]
    for browser in browsers:
        push.register(browser.registration)
    house.web.script(*[Answer(503, {"retry-after": "1"})] * 5)
    alerts = [push.alert(n, title=f"alert {n}") for n in range(40)]
    push.deliver(*alerts)
    house.web.wait(lambda pushes: len(pushes) >= 5)
    status, seconds = push.stop()
    assert status == 0 and seconds < 5
    push.start()
    push.deliver(*alerts)  # the api asks again for what it has no answer for
    push.wait_idle()
    for browser in browsers:
        taken = [p for p in house.web.seen() if p.subscription is browser and p.status == 201]
        assert sorted(titles(taken)) == sorted(a["alert"]["title"] for a in alerts)


def test_sigterm_waits_for_an_answer_that_is_on_its_way(house, push):
    push.register(house.web.subscribe().registration)
    hold = threading.Event()
    house.web.script(Answer(hold=hold))
    push.deliver(push.alert(1))
    house.web.wait(lambda pushes: len(pushes) == 1)
    threading.Timer(0.5, hold.set).start()
    status, seconds = push.stop()
    assert status == 0 and seconds < 5
    push.start()
    push.wait_idle()
    assert len(house.web.seen()) == 1
    assert push.log_of()[0]["outcome"] == "sent"


def test_sigterm_does_not_wait_for_a_service_that_never_answers(house, push):
    push.register(house.web.subscribe().registration)
    hold = threading.Event()
    house.web.script(Answer(hold=hold))
    push.deliver(push.alert(1))
    house.web.wait(lambda pushes: len(pushes) == 1)
    status, seconds = push.stop()
    assert status == 0 and seconds < 5
    hold.set()
    push.start()
    push.wait_idle()
    pushes = house.web.seen()
    assert titles(pushes) == ["Task 1", "Task 1"]
    assert len({p.headers["topic"] for p in pushes}) == 1, "so that the second replaces the first"


def test_kill_9_under_way_loses_nothing_and_what_comes_twice_replaces(house, push):
    push.register(house.web.subscribe().registration)
    hold = threading.Event()
    house.web.script(*[Answer(hold=hold)] * 3)
    alerts = [push.alert(n, title=f"alert {n}") for n in range(12)]
    push.deliver(*alerts)
    house.web.wait(lambda pushes: len(pushes) >= 8)
    push.kill()
    hold.set()
    push.start()
    push.wait_idle()
    topics = {}
    for arrived in house.web.seen():
        topics.setdefault(arrived.message["title"], set()).add(arrived.headers["topic"])
    assert set(topics) == {a["alert"]["title"] for a in alerts}
    assert all(len(t) == 1 for t in topics.values())
    database = push.folder / "push.db"
    check = subprocess.run(
        ["python3", "-c", "import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("
         "'PRAGMA integrity_check').fetchone()[0])", database],
        capture_output=True, text=True, check=True,
    )
    assert check.stdout.strip() == "ok"


def test_the_key_that_was_made_is_kept_and_readable_by_its_owner_alone(house, push):
    key = push.call("GetVapidKey")["public_key"]
    path = push.folder / "vapid_private_key"
    for private in (path, push.folder / "push.db", push.folder / "push.db-wal"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o600
    secret = ec.derive_private_key(int.from_bytes(unb64(path.read_text().strip())), ec.SECP256R1())
    assert b64(point(secret)) == key
    push.stop()
    push.start()
    assert push.call("GetVapidKey")["public_key"] == key


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VAPID_PRIVATE_KEY", "no key"),
        ("VAPID_PUBLIC_KEY", "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        ("VAPID_EMAIL", "nobody"),
        ("OPENTASK_PUSH_PRIVATE", "maybe"),
        ("APNS_KEY_PATH", "/dev/null"),
        ("OPENTASK_APNS_HOST", "http://localhost"),
    ],
)
def test_a_wrong_setting_ends_the_start_with_78_and_its_name(tmp_path, house, name, value):
    folder = tmp_path / "state"
    folder.mkdir()
    with push_service(folder, {**house.environment, name: value}) as push:
        assert push.process.wait(30) == os.EX_CONFIG
        end = time.monotonic() + 30
        while not any(name in line for line in push.log):
            assert time.monotonic() < end
            time.sleep(0.02)


# APNs


def test_n17_an_over_target_alert_has_the_fields_that_the_phone_understands(house, push):
    token = house.apns.device()
    push.register(apns(token))
    push.deliver(push.alert(42, title="Call the plumber", badge=3))
    (arrived,) = house.apns.wait(lambda seen: len(seen) == 1)
    assert arrived.status == 200, arrived.request.answer
    assert arrived.token == token
    assert arrived.payload == {
        "aps": {
            "alert": {"title": "Call the plumber", "body": "Over target"},
            "category": "TASK_REMINDER",
            "thread-id": "ot-tasks",
            "badge": 3,
            "sound": "default",
            "interruption-level": "active",
        },
        "taskId": 42,
        "dueAt": "2026-03-01T09:00:00.000Z",
        "priority": 2,
        "overdueCount": 3,
    }
    headers = arrived.headers
    assert headers["apns-topic"] == BUNDLE
    assert headers["apns-push-type"] == "alert"
    assert headers["apns-priority"] == "10"
    assert headers["apns-collapse-id"] == "task-42"


def test_n17_high_is_time_sensitive_urgent_is_critical_with_its_volume(house, push):
    push.register(apns(house.apns.device()))
    push.deliver(push.alert(3, level="time_sensitive"))
    push.deliver(push.alert(4, level="critical", volume=0.5, thread="ot-urgent"))
    seen = house.apns.wait(lambda seen: len(seen) == 2)
    high, urgent = sorted((n.payload for n in seen), key=lambda p: p["taskId"])
    assert high["aps"]["interruption-level"] == "time-sensitive"
    assert high["aps"]["sound"] == "default"
    assert urgent["aps"]["interruption-level"] == "critical"
    assert urgent["aps"]["sound"] == {"critical": 1, "name": "default", "volume": 0.5}
    assert urgent["aps"]["thread-id"] == "ot-urgent"


def test_n31_a_quiet_banner_has_no_sound_and_no_badge(house, push):
    push.register(apns(house.apns.device()))
    push.deliver(push.alert(7, silent=True, sound=False, category="TASK_ADDED", collapse_id="enriched-7"))
    (arrived,) = house.apns.wait(lambda seen: len(seen) == 1)
    assert "sound" not in arrived.payload["aps"] and "badge" not in arrived.payload["aps"]
    assert arrived.headers["apns-priority"] == "10"


def test_n51_a_badge_goes_to_phones_and_never_to_watches(house, push):
    phone, watch = house.apns.device(), house.apns.device()
    push.register(apns(phone))
    push.register(apns(watch, bundle=f"{BUNDLE}.watchkitapp"))
    push.register(house.web.subscribe().registration)
    push.deliver(push.message("badge", badge=5))
    push.wait_idle()
    (arrived,) = house.apns.seen()
    assert arrived.token == phone
    assert arrived.payload == {"aps": {"badge": 5}}
    assert arrived.headers["apns-collapse-id"] == "badge-update"
    assert arrived.headers["apns-push-type"] == "alert"
    assert house.web.seen() == []


def test_n52_a_number_that_the_device_shows_already_is_not_sent_again(house, push):
    token = house.apns.device()
    push.register(apns(token))
    push.deliver(push.message("badge", badge=2), push.message("badge", badge=1))
    push.wait_idle()
    numbers = [n.payload["aps"]["badge"] for n in house.apns.seen()]
    assert numbers in ([2, 1], [1]), "a number that waits is replaced by a newer one"
    push.deliver(push.message("badge", badge=1))
    push.deliver(push.alert(1, badge=3))
    push.wait_idle()
    push.deliver(push.message("badge", badge=3))
    push.deliver(push.message("badge", badge=0))
    push.wait_idle()
    after = [n.payload["aps"]["badge"] for n in house.apns.seen()][len(numbers):]
    assert after == [3, 0], "an alert carries the number; 0 is sent like any other"
    push.register(apns(token))
    push.deliver(push.message("badge", badge=0))
    house.apns.wait(lambda seen: len(seen) == len(numbers) + 3)


def test_n40_a_dismissal_is_a_background_push(house, push):
    push.register(apns(house.apns.device()))
    push.deliver(push.message("dismiss", dismiss={"task_ids": [4, 5], "slot_ids": []}))
    push.deliver(push.message("dismiss", dismiss={"task_ids": [], "slot_ids": [-1]}))
    push.deliver(push.message("dismiss_all"))
    seen = house.apns.wait(lambda seen: len(seen) == 3)
    silent = {"content-available": 1}
    assert [n.payload for n in seen] == [
        {"aps": silent, "type": "dismiss", "taskIds": [4, 5]},
        {"aps": silent, "type": "dismiss", "taskIds": [], "slotIds": [-1]},
        {"aps": silent, "type": "dismiss-all"},
    ]
    assert {(n.headers["apns-push-type"], n.headers["apns-priority"]) for n in seen} == {
        ("background", "5")
    }


def test_n54_a_bad_token_is_tried_on_the_other_host_once_and_corrected(house, push):
    token = house.sandbox.device()
    push.register(apns(token, environment="production"))
    push.deliver(push.alert(1))
    house.sandbox.wait(lambda seen: len(seen) == 1)
    push.wait_idle()
    assert len(house.apns.seen()) == 1
    push.deliver(push.alert(2))
    house.sandbox.wait(lambda seen: len(seen) == 2)
    push.wait_idle()
    assert len(house.apns.seen()) == 1, "the next one goes to the right host at once"
    assert push.call("Status")["devices"] == 1


def test_n54_a_token_that_both_hosts_call_bad_is_dropped(house, push):
    push.register(apns("ab" * 32))
    push.deliver(push.alert(1))
    push.wait_until(lambda s: s["devices"] == 0)
    assert (len(house.apns.seen()), len(house.sandbox.seen())) == (1, 1)
    push.wait_idle()


def test_n54_an_unregistered_device_is_dropped_other_refusals_keep_it(house, push):
    keep, drop = house.apns.device(), house.apns.device()
    push.register(apns(keep))
    house.apns.script(
        house.apns.refusal(403, "InvalidProviderToken"),
        house.apns.refusal(400, "BadTopic"),
        house.apns.refusal(413, "PayloadTooLarge"),
    )
    push.deliver(*[push.alert(n) for n in range(3)])
    push.wait_idle()
    assert push.call("Status")["devices"] == 1
    reasons = {e["reason"] for e in push.log_of() if e["outcome"] == "failed"}
    assert reasons == {"InvalidProviderToken", "BadTopic", "PayloadTooLarge"}
    push.register(apns(drop), user=2)
    house.apns.script(house.apns.refusal(410, "Unregistered", timestamp=int(time.time() + 5) * 1000))
    push.deliver(push.alert(1, user=2))
    push.wait_until(lambda s: s["devices"] == 1)


def test_apns_has_one_kept_connection_and_one_token(house, push):
    tokens = [house.apns.device() for _ in range(4)]
    for token in tokens:
        push.register(apns(token))
    push.deliver(*[push.alert(n) for n in range(50)])
    push.wait_idle()
    seen = house.apns.seen()
    assert len(seen) == 200
    assert house.apns.connections == 1
    assert len({n.headers["authorization"] for n in seen}) == 1
    assert len({n.headers["apns-id"] for n in seen}) == 200
