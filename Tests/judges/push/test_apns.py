"""APNs by opentask-push as a process, to a double of Apple's two hosts."""

import time

from messages import BUNDLE, apns


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
