"""What schemathesis must know of the API that a document cannot say: who is who, and what there is."""

import atexit
import collections
import itertools
import json
import os
import pathlib
import urllib.request
import uuid

import hypothesis
import schemathesis
from schemathesis import GenerationMode

# Schemathesis lets Hypothesis search for inputs that are accepted. Things that exist (below) see to that; the search takes
# more time than all the examples do.
hypothesis.target = lambda *arguments, **settings: 0.0

# Written by the test: where, and Ann's token.
WORLD = json.loads(pathlib.Path(os.environ["CONTRACT_WORLD"]).read_text())


# What each operation answered how often, for the test.
SEEN = collections.defaultdict(collections.Counter)


@schemathesis.hook
def after_call(context, case, response):
    if case.method.upper() == case.operation.method.upper():
        SEEN[case.operation.label][str(response.status_code)] += 1


@atexit.register
def tell():
    pathlib.Path(os.environ["CONTRACT_SEEN"]).write_text(json.dumps(SEEN))


@schemathesis.hook
def before_call(context, case, kwargs):
    use_a_fresh_key(case)
    use_a_real_token(case)
    use_a_thing_that_exists(case)
    use_things_that_exist_in_bodies(case)
    have_something_to_redo(case)
    keep_the_tokens_in_use(case)


def use_a_fresh_key(case):
    """A key belongs to one request: the same with another one is 400, and rightly so (api 1.12)."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and 1 <= len(key) <= 255:
        case.headers["Idempotency-Key"] = (uuid.uuid4().hex * 8)[: max(32, len(key))]


def use_a_real_token(case):
    """A78: a token is not guessed, and without one nothing else of the body is looked at."""
    if case.operation.path == "/api/notifications/actions" and isinstance(case.body, dict):
        if isinstance(case.body.get("token"), str) and case.body["token"]:
            case.body["token"] = WORLD["token"]


def is_good(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


def use_a_thing_that_exists(case):
    """Ids are drawn from all numbers: most would be nobody's. Every other one becomes that of something of Ann's, a new
    one where things are thrown away by others."""
    number = (case.path_parameters or {}).get("id")
    collection = case.operation.path.split("/{")[0]
    if is_good(case) and isinstance(number, int) and number % 2 and collection in THINGS:
        case.path_parameters["id"] = THINGS[collection](number // 2, case.operation)
    if is_good(case) and case.operation.path == "/api/labels/{name}" and next(TURNS) % 2:
        ask("POST", "/api/labels", {"name": "thing"})
        case.path_parameters["name"] = "thing"


TURNS = itertools.count()


def use_things_that_exist_in_bodies(case):
    """The same for what a body names."""
    if not is_good(case) or not isinstance(case.body, dict):
        return
    turn = next(TURNS)
    for key in case.body if turn % 2 else ():
        value = case.body[key]
        match key:
            case "keys" | "prompts" if isinstance(value, list) and value:
                case.body[key] = today_s_prompts()[: len(value)] or value
            case "ids" | "include_task_ids" | "date_task_ids" if isinstance(value, list) and value:
                case.body[key] = [a_task(turn + number, case.operation) for number in range(min(len(value), 3))]
            case "task_ids" if isinstance(value, list) and value:
                case.body[key] = [make("/api/tasks", title="Thing", enrich=False, horizon="weeks")]
            case "task_id" if isinstance(value, int):
                case.body[key] = make("/api/tasks", title="Thing", enrich=False, horizon="weeks")
            case "project_id" if isinstance(value, int):
                case.body[key] = one_of("projects", "/api/projects")(turn)
            case "project_ids" if isinstance(value, list) and value:
                case.body[key] = [project["id"] for project in ask("GET", "/api/projects")["projects"]]


TASKS = [
    {"due_at": "2026-11-30"}, {"rrule": "FREQ=DAILY"}, {"is_reminder": True}, {}, {"deadline_at": "2190-05-31"},
    {"rrule": "FREQ=DAILY", "progress_target": 3}, {"horizon": "weeks"},
]


def ask(method, path, body=None):
    request = urllib.request.Request(
        WORLD["url"] + path, None if body is None else json.dumps(body).encode(),
        {"Authorization": f"Bearer {WORLD['token']}"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply)["data"]


def make(collection, **body):
    return ask("POST", collection, body)["id"]


def one_of(key, collection):
    """Ids of what is there; of nobody's when nothing is."""
    def choose(number, operation=None):
        ids = [thing["id"] for thing in ask("GET", collection)[key]]
        return ids[number % len(ids)] if ids else 999_999
    return choose


def a_task(number, operation):
    """A new task, of every kind in turn; in the state that the operation is for."""
    fields = TASKS[number % len(TASKS)]
    what = operation.path.rpartition("/")[2]
    match what:
        case "progress":
            fields = {"rrule": "FREQ=DAILY", "progress_target": 3}
        case "skip-occurrence":
            fields = {"rrule": "FREQ=DAILY"}
        case "reprocess":
            fields = {"labels": ["ai-failed"]}
        case "undone":
            fields = {"due_at": "2026-11-30"}
    task = make("/api/tasks", title="Thing", enrich=False, **fields)
    match what:
        case "undone":
            ask("POST", f"/api/tasks/{task}/done")
        case "restore":
            ask("DELETE", f"/api/tasks/{task}")
    return task


def have_something_to_redo(case):
    if is_good(case) and case.operation.path.startswith("/api/redo"):
        make("/api/tasks", title="Thing", enrich=False)
        ask("POST", "/api/undo")


def today_s_prompts():
    return [prompt["prompt_key"] for group in ask("GET", "/api/reminders")["groups"] for prompt in group["prompts"]]


def a_period(number, operation):
    """One of them; before the last one goes, another one comes."""
    periods = ask("GET", "/api/time-slots")["time_slots"]
    if len(periods) < 3:
        taken = {period["start_time"] for period in periods}
        start = next(text for text in (f"{hour:02}:07" for hour in range(24)) if text not in taken)
        ask("POST", "/api/time-slots", {"label": "Thing", "start_time": start})
    return periods[number % len(periods)]["id"]


def a_webhook(number, operation):
    if not ask("GET", "/api/webhooks")["webhooks"]:
        make("/api/webhooks", url="http://127.0.0.1:9/hook", events=["task.updated"])
    return one_of("webhooks", "/api/webhooks")(number)


THINGS = {
    "/api/tasks": a_task,
    "/api/projects": lambda number, operation: make("/api/projects", name="Thing"),
    "/api/time-slots": a_period,
    "/api/webhooks": a_webhook,
    "/api/tokens": lambda number, operation: make("/api/tokens", name="Thing"),
}


def keep_the_tokens_in_use(case):
    """A12: whoever revokes the token that he asks with is 401 from then on. `02` is 2, too."""
    text = str((case.path_parameters or {}).get("id", ""))
    if case.operation.path == "/api/tokens/{id}" and text.isdigit() and int(text) in WORLD["tokens_in_use"]:
        case.path_parameters["id"] = 999_999
