"""A2: the document is OpenAPI 3.1, its schemas are JSON Schema 2020-12, and what it shows as an example works."""

import jsonschema
import openapi_spec_validator
import pytest

from contract import Document
from world import OPTIONAL_EXAMPLES


def test_it_is_openapi_3_1(world):
    assert world.document.root["openapi"].startswith("3.1.")
    validator = openapi_spec_validator.OpenAPIV31SpecValidator(world.document.root)
    assert [f"{list(error.path)}: {error.message}" for error in validator.iter_errors()] == []


def test_every_schema_is_a_json_schema_of_2020_12(world):
    checked = 0
    for place, schema in schemas(world.document.root):
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            pytest.fail(f"{place}: {error.message}")
        checked += 1
    assert checked > 50


def test_a_key_that_is_there_twice_is_noticed():
    with pytest.raises(AssertionError, match="twice"):
        Document("a: 1\nb: {c: 1, c: 2}\n")


def test_it_is_plain_ascii(world):
    """Its type has no charset, so a client may read it in any."""
    world.document.text.encode("ascii")


def test_every_operation_says_what_it_has_to(world):
    tags = {tag["name"] for tag in world.document.root["tags"]}
    for operation in world.operations:
        fields = operation.fields
        assert set(fields["tags"]) <= tags and fields["tags"], operation
        assert fields["summary"], operation
        assert any(status.startswith("2") for status in operation.responses), operation
        if not operation.is_public:
            assert "401" in operation.responses, operation
            if operation.method in ("POST", "PATCH"):
                names = [parameter["name"] for parameter in operation.parameters]
                assert "Idempotency-Key" in names or operation.number == "A4", operation
        if operation.number != "A95":
            assert "default" in operation.responses, operation
        if "x-refuses" in fields:
            assert "400" in operation.responses, operation
        if operation.body_is_required:
            assert "400" in operation.responses and operation.example is not None, operation
        if operation.example is not None:
            validator(world.document, operation.body_schema).validate(operation.example)


def test_examples_of_bodies_are_accepted(world):
    """On Ann's account, in the order of the document, with her ids in the path."""
    known = world.ids_by_path()
    for operation in world.operations:
        if operation.example is None or operation.number in OPTIONAL_EXAMPLES:
            continue
        ids = [world.quota] if operation.number == "A22" else known.get(operation.path.split("{")[0])
        body = world.real(operation.example)
        reply = world.send(operation, operation.target(**({"id": ids[0]} if ids else {})), body)
        if reply.status == 503 and "503" in operation.responses:
            continue  # it is off on this server
        assert reply.status in (200, 201, 204), (operation, body, reply)
        says_nothing_more(world, operation, reply)


def test_what_is_read_is_documented_to_the_last_key(world):
    """Clients pass over keys that they do not know; but the server sends none that the document does not name."""
    for operation in world.operations:
        if operation.method != "GET" or operation.number in ("A2", "A94"):
            continue
        ids = world.ids_by_path().get(operation.path.split("{")[0], [1])
        for number in ids if "{id}" in operation.path else [1]:
            reply = world.ann.send("GET", operation.target(id=number) + QUERIES.get(operation.number, ""))
            if reply.status == 503:
                continue
            if operation.number == "A76" and reply.status == 404:
                continue  # there was no run
            assert reply.status == 200, (operation, reply)
            says_nothing_more(world, operation, reply)


# What has to be in the query.
QUERIES = {"A64": "?format=json", "A76": "?session_id=x"}


def says_nothing_more(world, operation, reply):
    schema = operation.responses[str(reply.status)].get("content", {}).get("application/json", {}).get("schema")
    if schema is not None:
        errors = validator(world.document, strict(world.document, schema)).iter_errors(reply.json)
        assert [(list(error.path), error.message[:300]) for error in errors] == [], operation


def strict(document, schema, closed=True):
    """The schema with nothing left open: an object has the keys that it names, and no others."""
    if isinstance(schema, list):
        return [strict(document, part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    schema = document.follow(schema)
    result = {}
    for key, value in schema.items():
        if key == "allOf":
            result[key] = [strict(document, part, closed=False) for part in value]
        elif key in ("properties", "patternProperties"):
            result[key] = {name: strict(document, part) for name, part in value.items()}
        elif key in ("items", "additionalProperties", "anyOf", "oneOf"):
            result[key] = strict(document, value)
        else:
            result[key] = value
    if closed and ("properties" in schema or "allOf" in schema) and "additionalProperties" not in schema:
        result["unevaluatedProperties"] = False
    return result


def test_it_is_served_without_credentials_and_may_be_kept(world):
    reply = world.nobody.send("GET", "/api/openapi")
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "text/yaml"
    assert reply.headers["Cache-Control"] == "public, max-age=3600"


def schemas(value, place="#"):
    """Every schema in the document, outermost ones only."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "schema" or place.endswith("/components/schemas"):
                yield f"{place}/{key}", inner
            elif key not in ("example", "examples"):
                yield from schemas(inner, f"{place}/{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from schemas(inner, f"{place}/{index}")


def validator(document, schema):
    return jsonschema.Draft202012Validator({**schema, "components": document.root["components"]})
