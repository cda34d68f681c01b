"""The document against the running server, by schemathesis: all of its checks."""

import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile

import pytest

from contract import HERE, House
from world import World

# Schemathesis is one busy thread, however many workers it is given: as many of it as there are processors, each with a
# house of its own, so that nobody throws away what another one looks at.
WORKERS = 2
PARTS = 8
LOG = HERE.parents[2] / "build" / "test" / "schemathesis.log"


@pytest.fixture(scope="module")
def worlds():
    folders = [pathlib.Path(tempfile.mkdtemp(prefix="otc-", dir="/tmp")) for _ in range(WORKERS)]
    houses = [House(folder) for folder in folders]
    try:
        yield [World(house.__enter__()) for house in houses]
    finally:
        for house in houses:
            house.__exit__(None, None, None)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def test_schemathesis_finds_no_failure(worlds, tmp_path):
    """At least 200 examples an operation (schemathesis.toml, which also says what is excused, and why)."""
    operations = worlds[0].operations
    # Sequences of calls are drawn from all operations; what is asked of one operation is shared out.
    parts = queue.SimpleQueue()
    parts.put(("stateful", []))
    for first in range(PARTS):
        parts.put((f"part {first + 1}", operations[first::PARTS]))

    def work(number):
        folder = tmp_path / str(number)
        folder.mkdir()
        settings = prepare(worlds[number], folder)
        done = []
        while not parts.empty():
            try:
                name, chosen = parts.get_nowait()
            except queue.Empty:
                break
            done.append((name, *run(worlds[number], folder, settings, name, chosen)))
        return done

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        done = [result for results in pool.map(work, range(WORKERS)) for result in results]

    answers = seen(tmp_path)
    LOG.parent.mkdir(parents=True, exist_ok=True)
    LOG.write_text("".join(f"##### {name}\n{text}\n" for name, _, text in done) + "##### answers\n" + "".join(
        f"{label}: {dict(sorted(counts.items()))}\n" for label, counts in sorted(answers.items())))
    assert len(done) == PARTS + 1
    failed = [f"##### {name}\n{text[-12000:]}" for name, status, text in done if status != 0]
    assert not failed, "\n".join(failed)
    for name, _, text in done:
        assert "Seed: 20261130" in text, name
        assert "Exception in thread" not in text, f"{name}: schemathesis itself failed"
    unproven = {
        operation: answers.get(f"{operation.method} {operation.path}") for operation in operations
        if operation.number not in NEVER_DONE
        and not any(status[0] in "23" or status == "503" and status in operation.responses
                    for status in answers.get(f"{operation.method} {operation.path}", {}))}
    assert unproven == {}, "only refusals were judged"


# Those want what is not drawn: a form's token (A9), a session's cookie (A13), a review (A70), the run of an AI (A76), a device
# (A80), the test mode (A96).
NEVER_DONE = {"A9", "A13", "A70", "A76", "A80", "A96"}


def prepare(world, folder):
    """What schemathesis reads; the environment for it."""
    people = folder / "people.json"
    people.write_text(json.dumps({"auth": [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {client.token}"}]}
        for name, client in (("ann", world.ann), ("bob", world.bob))]}))
    known = folder / "world.json"
    known.write_text(json.dumps({
        "url": world.url, "token": world.ann.token, "tokens_in_use": world.tokens_in_use()}))
    (folder / "schemathesis.toml").write_text(
        (HERE / "schemathesis.toml").read_text() + "".join(map(excuse, world.operations)))
    (folder / "openapi.yaml").write_text(world.document.text)
    return {
        **os.environ, "CONTRACT_PEOPLE": str(people), "CONTRACT_WORLD": str(known),
        "CONTRACT_HOOKS": str(HERE / "hooks.py"), "NO_COLOR": "1"}


def run(world, folder, environment, name, operations):
    """One part: some operations one by one, or all of them in sequences."""
    chosen = [word for operation in operations
              for word in ("--include-operation-id", operation.fields["operationId"])]
    phases = "examples,coverage,fuzzing" if operations else "stateful"
    log = folder / f"{name}.log"
    with open(log, "wb") as output:
        status = subprocess.run(
            [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", folder / "schemathesis.toml",
             "run", folder / "openapi.yaml", "--url", world.url, "--phases", phases, *chosen,
             *os.environ.get("CONTRACT_SCHEMATHESIS", "").split()],
            env={**environment, "CONTRACT_SEEN": str(folder / f"seen {name}.json")},
            cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT).returncode
    return status, log.read_text(errors="replace")


def seen(folder):
    """How often each operation answered what, as hooks.py has counted."""
    sums = {}
    for file in folder.glob("*/seen *.json"):
        for label, counts in json.loads(file.read_text()).items():
            sum_ = sums.setdefault(label, {})
            for status, count in counts.items():
                sum_[status] = sum_.get(status, 0) + count
    return sums


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
