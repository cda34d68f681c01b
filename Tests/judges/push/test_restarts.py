"""What opentask-push keeps when it is stopped or killed, and which settings it refuses."""

import os
import stat
import subprocess
import threading
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from http2_double import Answer
from messages import titles
from service import push_service
from web_push_double import b64, point, unb64


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
