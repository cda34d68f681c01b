"""The document against the running server, by schemathesis: all of its checks."""

import json
import os
import pathlib
import subprocess
import sys

from contract import HERE


def test_schemathesis_finds_no_failure(world, tmp_path):
    """At least 200 examples an operation (schemathesis.toml, which also says what is excused, and why)."""
    people = tmp_path / "people.json"
    people.write_text(json.dumps({"auth": [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {client.token}"}]}
        for name, client in (("ann", world.ann), ("bob", world.bob))]}))
    known = tmp_path / "world.json"
    known.write_text(json.dumps({
        "url": world.url, "token": world.ann.token, "tokens_in_use": world.tokens_in_use()}))
    configuration = tmp_path / "schemathesis.toml"
    configuration.write_text((HERE / "schemathesis.toml").read_text() + "".join(map(excuse, world.operations)))
    document = tmp_path / "openapi.yaml"
    document.write_text(world.document.text)
    run = subprocess.run(
        [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", configuration, "run",
         document, "--url", world.url, *os.environ.get("CONTRACT_SCHEMATHESIS", "").split()],
        env={**os.environ, "CONTRACT_PEOPLE": str(people), "CONTRACT_WORLD": str(known),
             "CONTRACT_HOOKS": str(HERE / "hooks.py"), "NO_COLOR": "1"},
        cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    (HERE.parents[2] / "build" / "test").mkdir(parents=True, exist_ok=True)
    (HERE.parents[2] / "build" / "test" / "schemathesis.log").write_text(run.stdout)
    print(run.stdout[-6000:])
    assert run.returncode == 0, run.stdout[-12000:]
    assert "Seed: 20261130" in run.stdout
    assert "Exception in thread" not in run.stdout, "schemathesis itself failed"


# Those have their own sections in schemathesis.toml.
OWN = ("actOnNotification", "signIn", "signOut")


def excuse(operation):
    """A section for what the operation says to refuse although its schema allows it, and for one that may be off."""
    name, reason = operation.fields["operationId"], operation.fields.get("x-refuses")
    lines = []
    if reason is not None and name not in OWN:
        statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "429", "503"]
        lines.append(f"# {reason}\nchecks.positive_data_acceptance.expected-statuses = {statuses}")
    if "503" in operation.responses:
        # It is off, and says so: no failure of the server's.
        lines.append('checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]')
    if not lines:
        return ""
    return "\n".join(["", "[[operations]]", f'include-operation-id = ["{name}"]', *lines, ""])
