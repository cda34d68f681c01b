"""What schemathesis must know of the API that a document cannot say: who is who, and what there is."""

import json
import os
import pathlib
import urllib.request
import uuid

import schemathesis
from schemathesis import GenerationMode

# Written by the test: where, and Ann's token.
WORLD = json.loads(pathlib.Path(os.environ["CONTRACT_WORLD"]).read_text())


@schemathesis.hook
def before_call(context, case, kwargs):
    use_a_fresh_key(case)
    use_a_real_token(case)
    use_a_thing_that_exists(case)
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


def use_a_thing_that_exists(case):
    """Ids are drawn from all numbers: most would be nobody's. Every other one becomes that of something of Ann's, a new
    one where things are thrown away by others."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    number = (case.path_parameters or {}).get("id")
    collection = case.operation.path.split("/{")[0]
    if isinstance(number, int) and number % 2 and collection in THINGS:
        case.path_parameters["id"] = THINGS[collection](number // 2)


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


def one_of(key, collection):
    """Ids of what is there; of nobody's when nothing is."""
    def choose(number):
        ids = [thing["id"] for thing in ask("GET", collection)[key]]
        return ids[number % len(ids)] if ids else 999_999
    return choose


THINGS = {
    "/api/tasks": lambda number: ask(
        "POST", "/api/tasks", {"title": "Thing", "enrich": False, **TASKS[number % len(TASKS)]})["id"],
    "/api/projects": lambda number: ask("POST", "/api/projects", {"name": "Thing"})["id"],
    "/api/time-slots": one_of("time_slots", "/api/time-slots"),
    "/api/webhooks": one_of("webhooks", "/api/webhooks"),
}


def keep_the_tokens_in_use(case):
    """A12: whoever revokes the token that he asks with is 401 from then on. `02` is 2, too."""
    text = str((case.path_parameters or {}).get("id", ""))
    if case.operation.path == "/api/tokens/{id}" and text.isdigit() and int(text) in WORLD["tokens_in_use"]:
        case.path_parameters["id"] = 999_999
