"""What schemathesis must know of the API that a document cannot say: who is who, and what there is."""

import json
import os
import pathlib
import uuid

import schemathesis
from schemathesis import GenerationMode

# Written by the test: the tokens of the two people, the ids of the things of the first, by the path that names them.
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
    """Ids are drawn from all numbers: most would be nobody's. Every other one becomes somebody's."""
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    number = (case.path_parameters or {}).get("id")
    known = WORLD["ids"].get(case.operation.path.split("{")[0])
    if isinstance(number, int) and known and number % 2:
        case.path_parameters["id"] = known[number // 2 % len(known)]


def keep_the_tokens_in_use(case):
    """A12: whoever revokes the token that he asks with is 401 from then on."""
    if case.operation.path == "/api/tokens/{id}" and (case.path_parameters or {}).get("id") in WORLD["tokens_in_use"]:
        case.path_parameters["id"] = 999_999
