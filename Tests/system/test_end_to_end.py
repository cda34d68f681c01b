"""The main job, with all four real processes, a Web Push service and an APNs that the tests run themselves.

One line of text becomes a task; its target arrives; browser and phone are told, again at the interval; Done takes the
notification away everywhere; Undo puts all back (T-5, T-8, N-10, N-11, N-16, N-17, N-18, N-40, N-50, N-51, N-52, C-3, U-6).
"""

import datetime
import pathlib
import sys
import time
import zoneinfo

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "judges" / "push"))

from client import Api, Refused  # noqa: E402
from doubles import doubles  # noqa: E402
from house import House  # noqa: E402

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
BUNDLE = "org.example.opentask"


@pytest.fixture
def outside(folder):
    with doubles(folder) as outside:
        yield outside


@pytest.fixture
def lit(folder, outside):
    """A running house, led to the doubles, and a client."""
    with House(folder, **outside.environment) as house:
        yield house, Api(house.url, house.token())


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def wire(moment):
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_a_line_of_text_is_saved_as_typed_and_understood_a_moment_later(lit):
    _, api = lit
    home = api.post("/api/projects", {"name": "Home"})
    page, other_page = api.events(), api.events()
    line = "Call the plumber tomorrow at 9am !high #home"
    status, task = api.call("POST", "/api/tasks", {"title": line})
    assert status == 201
    assert (task["title"], task["labels"], task["due_at"]) == (line, ["ai-to-process"], None)

    for events in (page, other_page):
        done = events.until("enrichment_complete", taskId=task["id"])
        assert done["title"] == "Call the plumber"
    task = api.task(task["id"])
    tomorrow = datetime.datetime.now(BERLIN).date() + datetime.timedelta(days=1)
    nine = datetime.datetime.combine(tomorrow, datetime.time(9), BERLIN)
    assert task["title"] == "Call the plumber"
    assert task["original_title"] == line
    assert task["due_at"] == wire(nine)
    assert (task["priority"], task["project_id"], task["labels"]) == (3, home["id"], [])
    assert task["original_due_at"] == task["due_at"] and task["snooze_count"] == 0

    # enrich 1.4, nothing dropped: a repeating task has no deadline (D-1), so the words stay in the notes.
    both = api.post("/api/tasks", {"title": "Submit report by friday and every monday"})
    page.until("enrichment_complete", taskId=both["id"])
    both = api.task(both["id"])
    assert (both["rrule"], both["deadline_at"]) == ("FREQ=WEEKLY;BYDAY=MO", None)
    assert "by friday" in both["notes"]
    api.call("DELETE", f"/api/tasks/{both['id']}", {})
    api.post("/api/undo")
    api.post("/api/undo")

    # The first enrichment belongs to the creation: one step back is the trash (enrich 1.6).
    api.post("/api/undo")
    assert api.task(task["id"])["deleted_at"] is not None
    api.post("/api/redo")
    again = api.task(task["id"])
    assert (again["deleted_at"], again["title"], again["due_at"]) == (None, "Call the plumber", task["due_at"])


def test_a_target_arrives_repeats_and_vanishes_everywhere_when_it_is_done(lit, outside):
    house, api = lit
    browser, laptop = outside.web.subscribe(), outside.web.subscribe()
    for subscription in (browser, laptop):
        api.post("/api/push/subscribe", subscription.json)
    phone = outside.apns.device()
    api.post("/api/push/apns/register", {"device_token": phone, "bundle_id": BUNDLE, "environment": "production"})
    outside.apns.wait(lambda seen: any(n.payload == {"aps": {"badge": 0}} for n in seen))  # N-52: at registration

    # Its first point is the next full minute; it repeats every minute, counted from the target.
    target = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    task = api.post(
        "/api/tasks",
        {"title": "Turn off the oven", "due_at": wire(target), "priority": 3, "auto_snooze_minutes": 1})
    number = task["id"]

    def alerts(pushes):
        return [p for p in pushes if p.message.get("tag") == f"task-{number}"]

    def banners(seen):
        return [n for n in seen if n.headers.get("apns-collapse-id") == f"task-{number}"]

    pushes = alerts(outside.web.wait(lambda pushes: len(alerts(pushes)) == 2, patience=90))
    first_point = target + datetime.timedelta(seconds=-target.second % 60)
    assert datetime.datetime.now(datetime.timezone.utc) >= first_point
    assert {p.subscription.endpoint for p in pushes} == {browser.endpoint, laptop.endpoint}
    for push in pushes:
        assert push.status == 201
        assert push.message["title"] == "Turn off the oven"
        assert push.message["body"] == "Over target"
        assert push.message["data"]["taskId"] == number
        assert push.message["data"]["dueAt"] == wire(target)
        assert push.message["data"]["url"].endswith(f"/?task={number}")
        assert push.message["renotify"] is True
        assert [a["action"] for a in push.message["actions"]] == ["done", "snooze"]
        assert len(push.headers["topic"]) <= 32
    (banner,) = banners(outside.apns.wait(lambda seen: len(banners(seen)) == 1))
    assert banner.status == 200 and banner.token == phone
    assert banner.headers["apns-topic"] == BUNDLE
    assert banner.headers["apns-push-type"] == "alert" and banner.headers["apns-priority"] == "10"
    assert banner.claims["iss"] == "TEAM123456"
    aps = banner.payload["aps"]
    assert aps["alert"] == {"title": "Turn off the oven", "body": "Over target"}
    assert (aps["category"], aps["thread-id"], aps["badge"], aps["sound"], aps["interruption-level"]) == (
        "TASK_REMINDER", "ot-tasks", 1, "default", "time-sensitive")
    assert (banner.payload["taskId"], banner.payload["priority"], banner.payload["dueAt"]) == (number, 3, wire(target))

    # N-10: again a minute later; one for each device, and under the same tag.
    outside.web.wait(lambda pushes: len(alerts(pushes)) == 4, patience=90)
    assert datetime.datetime.now(datetime.timezone.utc) >= first_point + datetime.timedelta(minutes=1)
    outside.apns.wait(lambda seen: len(banners(seen)) == 2)
    ids = [p.message["data"]["id"] for p in alerts(outside.web.seen())]
    assert len(set(ids)) == 2  # two messages, each to two browsers

    # Done on the phone's banner: the token is in the body.
    outside.web.clear()
    outside.apns.clear()
    body = {"action": "done", "task_id": number, "due_at": wire(target), "token": api.token}
    _, answer = api.call("POST", "/api/notifications/actions", body, token=False)
    assert answer["result"]["task"]["done"] is True
    dismissals = outside.web.wait(lambda pushes: len(pushes) == 2)
    assert {p.subscription.endpoint for p in dismissals} == {browser.endpoint, laptop.endpoint}
    assert all(p.message == {"type": "dismiss", "taskIds": [number]} for p in dismissals)
    seen = outside.apns.wait(lambda seen: len(seen) == 2)
    silent = next(n for n in seen if n.headers["apns-push-type"] == "background")
    assert silent.payload == {"aps": {"content-available": 1}, "type": "dismiss", "taskIds": [number]}
    assert silent.headers["apns-priority"] == "5"
    assert [n.payload for n in seen if n is not silent] == [{"aps": {"badge": 0}}]

    # A second Done on an old banner does nothing (C-1, C-3).
    _, answer = api.call("POST", "/api/notifications/actions", body, token=False)
    assert answer["already_done"] is True

    # Undo: all is as before, the badge too; the next notification comes at the next point of the grid (U-8).
    outside.apns.clear()
    outside.web.clear()
    undone = api.post("/api/undo")
    assert undone["undone_action"] == "done" and undone["skipped_fields"] == []
    task = api.task(number)
    assert (task["done"], task["due_at"], task["completion_count"]) == (False, wire(target), 0)
    outside.apns.wait(lambda seen: any(n.payload == {"aps": {"badge": 1}} for n in seen))
    pushes = alerts(outside.web.wait(lambda pushes: len(alerts(pushes)) == 2, patience=90))
    assert {p.subscription.endpoint for p in pushes} == {browser.endpoint, laptop.endpoint}

    # +1hr in the notification moves it away; the number goes with it.
    outside.apns.clear()
    _, answer = api.call(
        "POST", "/api/notifications/actions",
        {"action": "snooze", "task_id": number, "due_at": wire(target), "token": api.token}, token=False)
    assert instant(answer["until"]) > datetime.datetime.now(datetime.timezone.utc)
    seen = outside.apns.wait(lambda seen: len(seen) == 2)
    assert sorted(n.headers["apns-push-type"] for n in seen) == ["alert", "background"]
    assert api.task(number)["snooze_count"] == 1
    assert house.log_text().count(" error ") == 0, house.log_text()


def test_a_stranger_is_refused_and_another_ones_task_is_not_found(lit):
    house, api = lit
    task = api.post("/api/tasks", {"title": "Mine", "priority": 1})
    assert house.command("user", "add", "bob").returncode == 0
    bob = Api(house.url, house.token("bob"))
    for method, path in [
        ("GET", f"/api/tasks/{task['id']}"), ("PATCH", f"/api/tasks/{task['id']}"),
        ("DELETE", f"/api/tasks/{task['id']}"), ("POST", f"/api/tasks/{task['id']}/done"),
        ("POST", f"/api/tasks/{task['id']}/snooze"),
    ]:
        body = None if method == "GET" else {}
        with pytest.raises(Refused) as refused:
            bob.call(method, path, body)
        assert refused.value.status == 404, (method, path)
        with pytest.raises(Refused) as refused:
            bob.call(method, path, body, token=False)
        assert refused.value.status == 401, (method, path)
    assert bob.get("/api/tasks")["count"] == 0


def test_an_event_stream_resumes_where_it_was_even_over_a_restart_of_the_api(lit):
    house, api = lit
    events = api.events()
    api.post("/api/tasks", {"title": "one", "priority": 1})
    seen = events.until("task_created", title="one")["id"]
    house.command("list")
    before = house.child("opentask-api")
    import os
    import signal
    os.kill(before, signal.SIGTERM)
    api.post("/api/tasks", {"title": "two", "priority": 1})  # waits for the next instance
    resumed = api.events(after=seen)
    assert resumed.until("task_created")["title"] == "two"
    assert house.child("opentask-api") != before


def test_a_program_of_ones_own_reads_the_lines_after_a_swap(lit, folder):
    """The example enricher in Python, put into place while the house runs, and out again."""
    import socket
    import subprocess

    house, api = lit
    example = pathlib.Path(__file__).parents[2] / "examples" / "enrich-python"
    program = next(example.glob("*.py"))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(house.run / "enrichers" / "mine.sock"))
    listener.listen(64)
    spare = 60
    import os
    os.dup2(listener.fileno(), spare)
    plugin = subprocess.Popen(
        ["bash", "-c", f'exec 3<&{spare} {spare}<&-; export LISTEN_PID=$$ LISTEN_FDS=1; exec python3 "$0"', str(program)],
        pass_fds=[spare], stdin=subprocess.DEVNULL)
    os.close(spare)
    try:
        assert house.command("enrich", "use", "mine").returncode == 0
        events = api.events()
        for _ in range(20):
            api.post("/api/tasks", {"title": "buy bread tomorrow"})
        read = {events.until("enrichment_complete")["taskId"] for _ in range(20)}
        assert len(read) == 20
        assert house.command("enrich", "use", "builtin").returncode == 0
        task = api.post("/api/tasks", {"title": "Pay rent friday !high"})
        events.until("enrichment_complete", taskId=task["id"])
        assert api.task(task["id"])["priority"] == 3
    finally:
        plugin.terminate()
        plugin.wait(10)
        listener.close()
