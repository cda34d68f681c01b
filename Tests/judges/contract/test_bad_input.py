"""Bad input, driven by the document: refused in the envelope, or taken where the schema says so; never 5xx, and what is
refused changes nothing."""

import json
import sqlite3

import jsonschema_rs
import pytest

from bad_input import BODIES, HEADERS, IDS, MEBIBYTE, QUERY_VALUES, VALUES, doubled
from contract import reveal

# So that nothing changes but by what is asked here.
ENVIRONMENT = {"OPENTASK_AI_ENABLED": "false"}


class Walk:
    def __init__(self, world):
        self.world = world
        self.kinds = {}
        self.taken = set()
        self.validators = {}
        self.watcher = sqlite3.connect(f"file:{world.house.state}/opentask.db?mode=ro", uri=True)
        self.state, self.version = reveal(world.house), self.data_version()

    def data_version(self):
        """Another number after each commit by anybody else."""
        return self.watcher.execute("PRAGMA data_version").fetchone()[0]

    def has_changed(self):
        version = self.data_version()
        if version == self.version:
            return {}
        self.version, before, self.state = version, self.state, reveal(self.world.house)
        return {
            table: (set(before[table]) ^ set(rows)) for table, rows in self.state.items() if before[table] != rows}

    def validator(self, schema):
        key = id(schema)
        if key not in self.validators:
            root = {"allOf": [schema], "components": self.world.document.root["components"]}
            self.validators[key] = jsonschema_rs.Draft202012Validator(root)
        return self.validators[key]

    def send(self, operation, kind, target, body=None, headers=(), bad=None):
        """One request; `bad` is True when it must be refused, False when it may succeed."""
        self.kinds.setdefault(operation.number, set()).add(kind)
        reply = self.world.send(operation, target, body, headers)
        where = (operation, kind, target[:200], body[:300] if isinstance(body, bytes) else body, headers, reply)
        assert reply.status < 500 or reply.status in (503, 507) and str(reply.status) in operation.responses, where
        self.is_documented(operation, reply, where)
        changed = self.has_changed()
        if reply.status >= 400:
            assert not changed, ("it was refused and changed something", changed, *where)
        elif bad:
            pytest.fail(f"it was accepted: {where}")
        else:
            self.taken.add(operation.number)
        return reply

    def is_documented(self, operation, reply, where):
        response = operation.responses.get(str(reply.status)) or operation.responses.get("default")
        assert response is not None, ("not documented", *where)
        if "content" not in response:
            # A95 answers without a body; what cannot be read at all is refused before it is known to be A95.
            assert reply.body == b"" or b"not valid HTTP" in reply.body, where
            return
        kind = reply.headers["Content-Type"].split(";")[0]
        assert kind in response["content"], where
        if kind == "application/json":
            schema = response["content"][kind]["schema"]
            errors = [error.message for error in self.validator(schema).iter_errors(json.loads(reply.body))]
            assert errors == [], (errors, *where)
            assert reply.headers["Cache-Control"] == "no-store", where
        if reply.status >= 400 and operation.number != "A95":
            assert reply.json.get("code") or operation.number == "A7", where

    def target(self, operation):
        """Its path with a thing that is there; a fresh one each time, since the last may be gone."""
        return operation.target(id=self.fresh(operation), name="errand")

    def fresh(self, operation):
        make = self.world.ann.make
        match operation.path.split("{")[0]:
            case "/api/tasks/":
                made = self.world.task_for(operation, due_at="2026-11-30")
            case "/api/projects/":
                made = make("POST", "/api/projects", {"name": "Thing"})["id"]
            case "/api/webhooks/":
                there = self.world.ann.get("/api/webhooks")["webhooks"]
                made = there[0]["id"] if there else make(
                    "POST", "/api/webhooks", {"url": "http://127.0.0.1:9/hook", "events": ["task.updated"]})["id"]
            case "/api/tokens/":
                made = make("POST", "/api/tokens", {"name": "spare"})["id"]
            case "/api/time-slots/":
                there = self.world.ann.get("/api/time-slots")["time_slots"]
                if len(there) < 3:
                    taken = {period["start_time"] for period in there}
                    start = next(text for text in (f"{hour:02}:07" for hour in range(24)) if text not in taken)
                    make("POST", "/api/time-slots", {"label": "Thing", "start_time": start})
                made = there[0]["id"]
            case _:
                made = 1
        self.has_changed()
        return made


@pytest.fixture(scope="module")
def walk(world):
    return Walk(world)


def test_bodies_that_are_no_object(walk, world):
    for operation in world.operations:
        if operation.number == "A94":
            continue
        target = walk.target(operation)
        schema = operation.body_schema
        # A schema without a type takes anything (A56, A57).
        takes_objects = schema is not None and world.document.follow(schema).get("type") == "object"
        for kind, body in BODIES.items():
            is_none = not body.strip()
            bad = takes_objects and (operation.body_is_required if is_none else True)
            headers = [("Content-Type", "application/json")] if operation.number in ("A7", "A9") else []
            reply = walk.send(operation, f"body: {kind}", target, body, headers, bad and operation.number != "A7")
            if reply.status < 400 and operation.method not in ("GET", "POST"):
                target = walk.target(operation)


def test_values_of_fields(walk, world):
    """Each key that a body may have, with each value: bad or not is what the schema says."""
    for operation in world.operations:
        schema = operation.body_schema
        properties = properties_of(world.document, schema)
        if not properties or operation.number in ("A7", "A9"):
            continue
        validator = walk.validator(schema)
        good = world.real(operation.example or {})
        target = walk.target(operation)
        walk.send(operation, "value: none that is bad", target, good)
        target = walk.target(operation)
        for key in properties:
            for kind, value in VALUES.items():
                body = {**good, key: value}
                if len(json.dumps(body)) >= MEBIBYTE:
                    continue
                bad = not validator.is_valid(body)
                reply = walk.send(operation, f"value: {kind}", target, body, bad=bad)
                if reply.status in (404, 409) or reply.status < 300 and "{id}" in operation.path:
                    target = walk.target(operation)
            if key in good and not validator.is_valid({**good, key: {"a": 1}}):
                walk.send(operation, "value: twice, the second bad", target, doubled(good, key, {"a": 1}), bad=True)
            if operation.body_is_required and key in world.document.follow(schema).get("required", []):
                body = {k: v for k, v in good.items() if k != key}
                walk.send(operation, "value: missing", target, body, bad=True)


def test_values_within_values(walk, world):
    """The members of lists and objects in bodies."""
    for operation in world.operations:
        schema = operation.body_schema
        if schema is None or not operation.example:
            continue
        good = world.real(operation.example)
        validator = walk.validator(schema)
        target = walk.target(operation)
        for path in paths_into(good):
            for kind, value in VALUES.items():
                body = json.loads(json.dumps(good))
                place = body
                for step in path[:-1]:
                    place = place[step]
                place[path[-1]] = value
                if len(json.dumps(body)) >= MEBIBYTE:
                    continue
                walk.send(operation, f"inner value: {kind}", target, body, bad=not validator.is_valid(body))


def test_ids_in_paths(walk, world):
    for operation in world.operations:
        for parameter in operation.parameters_in("path"):
            if parameter["schema"].get("type") != "integer":
                continue
            for kind, value in IDS.items():
                body = operation.example
                reply = walk.send(
                    operation, f"id: {kind}", operation.path.replace("{" + parameter["name"] + "}", value), body,
                    bad=True)
                assert reply.status == 400, (operation, kind, reply)


def test_names_in_paths(walk, world):
    for operation in world.operations:
        for parameter in operation.parameters_in("path"):
            if parameter["schema"].get("type") == "integer":
                continue
            for kind, value in {**IDS, "nothing": ""}.items():
                target = operation.path.replace("{" + parameter["name"] + "}", value)
                walk.send(operation, f"name: {kind}", target, operation.example)


def test_values_in_queries(walk, world):
    for operation in world.operations:
        if operation.number == "A94":
            continue
        target = walk.target(operation)
        parameters = operation.parameters_in("query")
        for name, schema in [(p["name"], p["schema"]) for p in parameters] + [("nobody-knows-this", None)]:
            for kind, value in QUERY_VALUES.items():
                malformed = kind in ("a NUL", "half a percent sign", "no percent-encoding", "bytes that are no UTF-8")
                bad = malformed or schema is not None and is_bad(world.document.follow(schema), value)
                reply = walk.send(operation, f"query: {kind}", f"{target}?{name}={value}", operation.example, bad=bad)
                if reply.status < 300 and operation.method != "GET" and "{id}" in operation.path:
                    target = walk.target(operation)
        for kind, query in {"only signs": "?&&==&", "no name": "?=1", "twice": "?limit=1&limit=x", "a second": "?a?b#c",
                            "a thousand": "?" + "&".join(f"p{i}=1" for i in range(1000))}.items():
            walk.send(operation, f"query: {kind}", target + query.replace("#", "%23"), operation.example)
            if operation.method == "DELETE" and "{id}" in operation.path:
                target = walk.target(operation)


def test_headers(walk, world):
    for operation in world.operations:
        if operation.number == "A94":
            continue
        target = walk.target(operation)
        known = {parameter["name"] for parameter in operation.parameters_in("header")}
        for kind, (name, value) in HEADERS.items():
            bad = name in known and "cookie" not in name.lower()
            reply = walk.send(operation, f"header: {kind}", target, operation.example, [(name, value)], bad=bad)
            if reply.status < 300 and operation.method in ("DELETE", "POST") and "{id}" in operation.path:
                target = walk.target(operation)


def test_each_operation_has_met_40_kinds(walk, world):
    """The walks above, added up."""
    few = {
        operation.number: len(walk.kinds.get(operation.number, ()))
        for operation in world.operations
        if operation.number != "A94" and len(walk.kinds.get(operation.number, ())) < 40}
    assert few == {}


# Those want what nobody has here: a form's token (A9), a review (A70), a run (A76), a message's token (A78), the test mode
# (A96). A27 starts what changes the task at any time later.
NEVER_TAKEN = {"A9", "A27", "A70", "A76", "A78", "A96"}


def test_each_operation_has_taken_something(walk, world):
    """Or the walks would have met one and the same refusal."""
    off = {operation.number for operation in world.operations if "503" in operation.responses}
    assert {operation.number for operation in world.operations} - walk.taken - NEVER_TAKEN - off == {"A94"}


def test_the_house_is_well_after_it_all(walk, world):
    assert world.nobody.send("GET", "/api/health").json == {"status": "ok"}
    assert "an operation failed" not in world.house.log_text()
    assert world.house.process.poll() is None


def properties_of(document, schema):
    """The keys of an object's schema, its parts included."""
    schema = document.follow(schema)
    if not schema:
        return {}
    found = dict(schema.get("properties", {}))
    for part in schema.get("allOf", []):
        found |= properties_of(document, part)
    return found


def paths_into(value, path=()):
    """Where a good body has values below its own keys."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in members:
        if path:
            yield (*path, step)
        yield from paths_into(inner, (*path, step))


def is_bad(schema, value):
    """Whether the text of a query's value breaks its schema."""
    if "enum" in schema:
        return value not in schema["enum"]
    if schema.get("type") == "integer":
        try:
            number = int(value)
        except ValueError:
            return True
        return number < schema.get("minimum", number) or number > schema.get("maximum", number)
    return False
