"""Every method of the four services, called by Python's client and by Go's: neither was written here.

A method that a service lists and that is not called here fails the test.
"""

import json
import pathlib
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "system"))

from house import Lone  # noqa: E402

CONTEXT = {
    "now_local": "2026-01-15T10:00", "time_zone": "America/Chicago", "utc_offset_minutes": -360,
    "morning_time": "09:00", "wake_time": "07:00", "sleep_time": "22:00", "week_start": "monday", "date_order": "mdy",
    "quick_add_syntax": "todoist", "projects": [{"name": "Home", "shared": False}], "labels": ["phone"],
    "periods": [{"label": "Morning", "start": "09:00"}], "default_period": "Morning", "user_context": None,
}


class Caller:
    """Calls the methods of one service and remembers which."""

    def __init__(self, client, path):
        self.client, self.path = client, path
        self.called = set()

    def __call__(self, called, /, refused=False, **parameters):
        self.called.add(called)
        replies = self.client(self.path, called, json.dumps(parameters), refused=refused)
        return replies[0] if replies else None

    def first(self, called, **parameters):
        """The first reply of a stream, which is left then."""
        self.called.add(called)
        process = self.client.start(self.path, called, json.dumps(parameters), "--more")
        try:
            return json.loads(process.stdout.readline())
        finally:
            process.kill()
            process.wait(60)
            process.stdout.close()

    def listed(self):
        (answer,) = self.client(self.path)
        return {
            f"{interface}.{method}"
            for interface, methods in answer["methods"].items()
            if interface != "org.varlink.service"
            for method in methods
        }


@pytest.fixture
def lone(tmp_path_factory):
    """Starts a service alone, in a folder with a short path."""
    import shutil
    import tempfile

    folders, running = [], []

    def start(service, **environment):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ot-", dir="/tmp"))
        folders.append(folder)
        (folder / "enrichers").mkdir()
        one = Lone(service, folder, **environment)
        running.append(one)
        return one.ready()

    yield start
    for one in running:
        one.__exit__()
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def test_every_method_of_the_api(client, lone):
    api = lone(
        "opentask-api", OPENTASK_INIT_USERNAME="ann", OPENTASK_INIT_PASSWORD="a password",
        OPENTASK_INIT_TIMEZONE="America/Chicago")
    call = Caller(client, api.path("varlink"))

    # org.opentask.local
    local = "org.opentask.local"

    def http(method, path, body=None):
        reply = call(f"{local}.Call", user="ann", method=method, path=path, body=json.dumps(body) if body else None)
        assert reply["status"] < 300, reply
        return json.loads(reply["body"])["data"]

    assert call(f"{local}.AddUser", name="bob", password=None, timezone="Europe/Berlin", email=None)["id"] == 2
    error = call(f"{local}.AddUser", name="Bob", password=None, timezone="Europe/Berlin", email=None, refused=True)
    assert error == {"error": f"{local}.UserExists", "parameters": {"name": "Bob"}}
    assert len(call(f"{local}.CreateToken", user="bob", label="test")["token"]) == 64
    error = call(f"{local}.UseEnricher", name="nobody", refused=True)
    assert error["error"] == f"{local}.NoSuchEnricher"
    line = http("POST", "/api/tasks", {"title": "Buy bread"})
    status = call(f"{local}.Status")
    assert (status["users"], status["tasks"], status["jobs_waiting"], status["enricher"]) == (2, 1, 1, "builtin")

    # org.opentask.enrichqueue
    queue = "org.opentask.enrichqueue"
    log = {"enricher": "test", "model": None, "duration_ms": 1, "input": None, "output": None,
           "input_tokens": None, "output_tokens": None}
    (job,) = call(f"{queue}.Claim", limit=10, lease_ms=60000)["jobs"]
    assert (job["text"], job["attempt"], job["context"]["time_zone"]) == ("Buy bread", 1, "America/Chicago")
    held = {"job": job["id"], "token": job["token"]}
    call(f"{queue}.Extend", **held, lease_ms=60000)
    call(f"{queue}.Fail", **held, error="Overloaded", retryable=True, uses_attempt=False, retry_after_ms=0, log=log)
    error = call(f"{queue}.Extend", **held, lease_ms=60000, refused=True)
    assert error["error"] == f"{queue}.StaleToken"
    (job,) = call(f"{queue}.Claim", limit=10, lease_ms=60000)["jobs"]
    result = {
        "title": "Buy rye bread", "target": {"date": "2099-01-02", "time": "10:00"}, "deadline": None, "priority": 2,
        "rrule": None, "recurrence_mode": None, "labels": [], "project": None, "notes": None, "kind": "task",
        "quota": None, "auto_snooze_minutes": None, "estimate_minutes": None, "spans": None, "reasoning": None,
    }
    done = {"job": job["id"], "token": job["token"], "result": result, "log": log}
    assert call(f"{queue}.Complete", **done)["outcome"] == "applied"
    assert call(f"{queue}.Complete", **done)["outcome"] == "applied"  # idempotent by token
    task = http("GET", f"/api/tasks/{line['id']}")
    assert (task["title"], task["due_at"], task["priority"]) == ("Buy rye bread", "2099-01-02T16:00:00.000Z", 2)

    # org.opentask.clock
    clock = "org.opentask.clock"
    look = 4071009600  # 2099-01-02T04:00:00Z, before the target
    assert call(f"{clock}.GetDue", now=look, limit=10)["people"] == []
    assert call.first(f"{clock}.Watch")["next"] == 4071052800  # 2099-01-02T16:00:00Z
    (person,) = call(f"{clock}.GetDue", now=4071052800, limit=10)["people"]
    (fact,) = person["facts"]
    assert (fact["id"], fact["due_at"], fact["interval_minutes"]) == (line["id"], 4071052800, 60)
    decision = {
        "id": fact["id"], "version": fact["version"] - 1, "due_at": fact["due_at"], "look_at": fact["look_at"],
        "point": 0, "summarized": False, "next_look": None,
    }
    check = {"user": person["user"], "at": 4071052800, "decisions": [decision]}
    assert call(f"{clock}.Report", checks=[check])["refused"] == [fact["id"]]  # an older version
    decision["version"] += 1
    assert call(f"{clock}.Report", checks=[check])["refused"] == []
    assert call(f"{clock}.GetDue", now=4071052800, limit=10)["people"] == []
    assert call(f"{clock}.Housekeep")["done"] == 0
    call(f"{clock}.Purge")
    assert call.called == call.listed()


def test_every_method_of_the_scheduler(client, lone):
    scheduler = lone("opentask-scheduler")
    call = Caller(client, scheduler.path("varlink"))
    status = call("org.opentask.scheduler.Status")
    assert (status["connected"], status["checks"]) == (False, 0)
    assert call.called == call.listed()


def test_every_method_of_push(client, lone):
    push = lone("opentask-push", VAPID_EMAIL="mailto:house@example.org")
    call = Caller(client, push.path("varlink"))
    name = "org.opentask.push"
    message = {"id": "a-1", "user": 1, "kind": "badge", "at": int(time.time()), "badge": 3}
    assert call(f"{name}.Deliver", messages=[message])["accepted"] == ["a-1"]
    assert call(f"{name}.Deliver", messages=[message])["accepted"] == ["a-1"]
    sent = call(f"{name}.TestWebPush", user=1, endpoint=None)
    assert sent["sent"] is False and sent["reason"]
    key = call(f"{name}.GetVapidKey")
    assert key["configured"] and len(key["public_key"]) == 87  # 65 bytes in base64url
    assert call(f"{name}.Status")["subscriptions"] == 0
    assert isinstance(call(f"{name}.GetLog", user=1, limit=10, messages=["a-1"])["entries"], list)
    assert call(f"{name}.GetWebhookLog", user=1, webhook=1, limit=10)["attempts"] == []
    assert call(f"{name}.GetChannels", user=1) == {"subscriptions": 0, "devices": 0}
    assert call.called == call.listed()


def test_every_method_of_enrich_and_of_the_built_in_enricher(client, lone):
    enrich = lone("opentask-enrich")
    (enrich.folder / "enrichers" / "builtin.sock").symlink_to(enrich.path("builtin"))
    call = Caller(client, enrich.path("varlink"))
    name = "org.opentask.enrich"
    call(f"{name}.Poke")
    assert call(f"{name}.Status")["failed"] == 0
    assert [one["name"] for one in call(f"{name}.List")["enrichers"]] == ["builtin"]
    preview = call(f"{name}.Preview", enricher="builtin", kind="task", text="pay rent friday", context=CONTEXT)
    assert preview["result"]["title"] == "Pay rent" and preview["result"]["target"]["date"] == "2026-01-16"
    assert call(f"{name}.Test", name="builtin")["passed"] is True
    assert call.called == call.listed()

    call = Caller(client, enrich.path("builtin"))
    name = "org.opentask.enricher"
    assert call(f"{name}.GetCapabilities", protocols=[1])["protocol"] == 1
    error = call(f"{name}.GetCapabilities", protocols=[99], refused=True)
    assert error["error"] == f"{name}.UnsupportedProtocol"
    asked = {"kind": "task", "text": "Call the plumber tomorrow at 9am !high #home", "context": CONTEXT}
    answer = call(f"{name}.Enrich", request_id="r1", attempt=1, deadline_ms=1000, **asked)["result"]
    assert (answer["title"], answer["target"], answer["priority"], answer["project"]) == (
        "Call the plumber", {"date": "2026-01-16", "time": "09:00"}, 3, "Home")
    assert call(f"{name}.Preview", **asked)["result"]["title"] == "Call the plumber"
    call(f"{name}.Cancel", request_id="r1")
    assert call(f"{name}.CheckHealth")["state"] == "ready"
    error = call(f"{name}.Enrich", request_id="r2", attempt=1, deadline_ms=1000, **{**asked, "text": "   "}, refused=True)
    assert error["error"] == f"{name}.TextEmpty"
    assert call.called == call.listed()
