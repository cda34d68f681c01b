"""`make bench`: see docs/bench.md for what each row means and why its peer is the right one."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))

import peers  # noqa: E402
from house import House  # noqa: E402
from growth import growth_rows  # noqa: E402
from house_rows import Memory, activation_rows, idle_rows, memory_row  # noqa: E402
from measure import Row, compare, rate, table, wrk  # noqa: E402

TASKS = 200
CONNECTIONS = 32
PAIRS = 3


def request(house, token, method, path, body=None):
    """One call of the API; the `data` of its answer."""
    connection = http.client.HTTPConnection(house.url.removeprefix("http://"))
    with contextlib.closing(connection):
        connection.request(
            method, path, None if body is None else json.dumps(body),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status in (200, 201), text
        return json.loads(text)["data"]


def add_tasks(house, token):
    """200 tasks as people have them: half with a target, a fifth recurring, some with notes and labels."""
    def add(number):
        body = {"title": f"Bring the {number}. thing in order", "priority": number % 5}
        if number % 2 == 0:
            body["due_at"] = f"2030-{number % 12 + 1:02}-{number % 28 + 1:02}T09:30:00Z"
        if number % 5 == 0:
            body["rrule"] = ("FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY;BYMONTHDAY=15")[number % 3]
        if number % 3 == 0:
            body["notes"] = "What to think of: \"the other one\", and that it takes a while.\nTwice."
        if number % 4 == 0:
            body |= {"labels": ["home", "some day"], "create_label": True}
        return request(house, token, "POST", "/api/tasks", body)["id"]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        ids = sorted(pool.map(add, range(TASKS)))
    # Until every text has been looked at by enrich, the house has work to do.
    for _ in range(600):
        tasks = request(house, token, "GET", "/api/tasks?limit=1000")["tasks"]
        if not any("ai-to-process" in task["labels"] for task in tasks):
            assert len(tasks) == TASKS
            return ids
        time.sleep(0.1)
    raise TimeoutError("texts are still waiting for enrich")


def health_row(house, folder):
    with peers.nginx(folder) as nginx:
        ours, (theirs,), (ratio,) = compare(
            lambda: wrk(f"{house.url}/api/health", connections=CONNECTIONS),
            [lambda: wrk(f"{nginx}/api/health", connections=CONNECTIONS)], PAIRS)
    return Row("small reply, against nginx", rate(ours), rate(theirs), f"{ratio:.2f}", ">= 0.6")


def list_row(house, fastapi, token):
    headers = [f"Authorization: Bearer {token}"]
    ours, (theirs,), (ratio,) = compare(
        lambda: wrk(f"{house.url}/api/tasks", headers=headers, connections=CONNECTIONS),
        [lambda: wrk(f"{fastapi}/api/tasks", headers=headers, connections=CONNECTIONS)], PAIRS)
    return Row(f"list of {TASKS} tasks, against FastAPI", rate(ours), rate(theirs), f"{ratio:.1f}", ">= 6")


def update_row(house, fastapi, token, ids):
    assert ids == list(range(ids[0], ids[0] + TASKS))
    options = {
        "connections": CONNECTIONS, "script": HERE / "patch.lua", "arguments": (token, ids[0], TASKS), "seconds": 4,
    }
    ours, (theirs,), (ratio,) = compare(
        lambda: wrk(f"{house.url}/", **options), [lambda: wrk(f"{fastapi}/", **options)], PAIRS)
    return Row(
        f"durable updates, {CONNECTIONS} connections, against FastAPI", rate(ours), rate(theirs), f"{ratio:.1f}",
        ">= 3")


def loop_rows(folder):
    socket = folder / "echo"
    with peers.echo(socket):
        ours, (theirs,), (ratio,) = compare(
            lambda: peers.loop("varlink", socket, 2), [lambda: peers.loop("raw", socket, 2)], PAIRS)
    rows = [Row("Varlink round trips, against a bare socket", rate(ours), rate(theirs), f"{ratio:.2f}", "")]
    ours, (python, openssl), ratios = compare(
        lambda: peers.loop("webpush", 2),
        [lambda: peers.http_ece_messages(2), lambda: peers.loop("ecdh", 2)], PAIRS)
    return rows + [
        Row("Web Push encryptions, against http_ece", rate(ours), rate(python), f"{ratios[0]:.2f}", ">= 1.2"),
        Row("  against OpenSSL's key generation and ECDH alone", rate(ours), rate(openssl), f"{ratios[1]:.2f}", ""),
    ]


def machine():
    processor = next(
        (line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    version = {
        "nginx": subprocess.run([peers.NGINX, "-v"], capture_output=True, text=True).stderr.partition("/")[2].strip(),
        "python": platform.python_version(),
    }
    import fastapi
    import uvicorn
    return "\n".join((
        f"{os.cpu_count()} cores, {processor}; {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') >> 30} GiB; "
        f"Linux {platform.release()}; load {os.getloadavg()[0]:.1f}",
        f"nginx {version['nginx']}, Python {version['python']}, FastAPI {fastapi.__version__}, "
        f"uvicorn {uvicorn.__version__} with uvloop and httptools, {os.cpu_count()} workers",
    ))


@contextlib.contextmanager
def grown(parent):
    """A house whose database may become large, and goes when it is done."""
    folder = parent / "grown"
    folder.mkdir()
    try:
        with House(folder, LOG_LEVEL="warn", OPENTASK_AI_ENABLED="false") as house:
            yield house
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    """All of it, or with the word `growth` that part alone."""
    print(machine(), flush=True)
    start = time.monotonic()
    # On a disk: in memory nothing would be durable, and the updates would not be compared.
    parent = HERE.parents[1] / "build"
    parent.mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="b-", dir=parent))
    rows = []

    def add(*more):
        rows.extend(more)
        print(f"  {time.monotonic() - start:4.0f} s  " + ";  ".join(" ".join(r.cells).strip() for r in more), flush=True)

    try:
        with grown(folder) as house:
            add(*growth_rows(house, house.token(), lambda line: print(line, flush=True)))
        if sys.argv[1:] == ["growth"]:
            print("\n" + table(rows))
            return
        with House(folder, LOG_LEVEL="warn") as house:
            token = house.token()
            ids = add_tasks(house, token)
            add(health_row(house, folder))
            with peers.fastapi(folder, house.state / "opentask.db", token) as fastapi:
                add(list_row(house, fastapi, token))
                add(update_row(house, fastapi, token, ids))
                peer_memory = Memory(peers.descendants(fastapi.process))
            add(memory_row(house, "memory of the four after all that"))
        add(*loop_rows(folder))
        with House(folder, LOG_LEVEL="warn") as house:
            add(*idle_rows(house, peer_memory))
        add(*activation_rows(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n" + table(rows))
    print(f"\n{time.monotonic() - start:.0f} s. What the rows mean: docs/bench.md")


main()
