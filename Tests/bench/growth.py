"""`make bench` with `growth`: one user's tasks from 1,000 to 1,000,000, a user of 200 beside him, and 1,000 open pages.

The tasks are put into the file directly, in one transaction a step: to send a million would measure the sending. All else
goes through HTTP on one kept connection; a time is the median of many, Python's client (some 0.2 ms) included.
"""

import contextlib
import http.client
import json
import random
import selectors
import socket
import sqlite3
import statistics
import subprocess
import time
import urllib.parse

from house_rows import Memory, ticks
from measure import Row

STEPS = (1_000, 10_000, 100_000, 1_000_000)
WORDS = 4_000
LISTENERS = 1_000


class Client:
    def __init__(self, house, token):
        self.connection = http.client.HTTPConnection(house.url.removeprefix("http://"))
        self.headers = {"Authorization": f"Bearer {token}"}

    def call(self, method, path, body=None):
        self.connection.request(method, path, None if body is None else json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        assert answer.status in (200, 201), text
        return json.loads(text)["data"]

    def milliseconds(self, method, path, body=None, times=15):
        spent = []
        for _ in range(times):
            start = time.perf_counter()
            self.connection.request(method, path, body and json.dumps(body), self.headers)
            answer = self.connection.getresponse()
            text = answer.read()
            spent.append((time.perf_counter() - start) * 1000)
            assert answer.status in (200, 201), text
        return statistics.median(spent)


class Filler:
    """Tasks as people have them: nine of ten and more done or filed away as the years go by, a few over target, some labels."""

    def __init__(self, house):
        self.path = house.state / "opentask.db"
        self.random = random.Random(5545)
        # Like words of a language: the first are everywhere, the last are rare.
        self.words = [f"{a}{b}{c}" for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u") for c in
                      ("l", "n", "r", "s", "t", "nd", "rk", "st", "ll", "mp") for _ in range(5)][:WORDS]
        self.words = [word + "abcde"[at % 5] for at, word in enumerate(self.words)]
        self.random.shuffle(self.words)
        self.weights = [1 / (rank + 10) for rank in range(WORDS)]

    def fill(self, user, inbox, count):
        now = int(time.time())
        r = self.random
        with contextlib.closing(sqlite3.connect(self.path)) as database:
            first = (database.execute("SELECT max(id) FROM task").fetchone()[0] or 0) + 1
        words = iter(r.choices(self.words, self.weights, k=count * 7))
        # Of a million, 46,000 are open: a user may have 50,000.
        each = 10 if count <= 100_000 else 25
        tasks, texts = [], []
        for number in range(first, first + count):
            title = " ".join(next(words) for _ in range(4))
            notes = " ".join(next(words) for _ in range(3)) if number % 3 == 0 else None
            done = number % each != 0
            over = number % 10 == 0 and number % 2_000 == 0
            due = None if number % 20 == 0 and not over else now + (-3600 if over else number % 5_000_000 + 86_400)
            labels = '["home"]' if number % 40 == 0 else "[]"
            rule = "FREQ=WEEKLY" if number % 50 == 0 and not done else None
            tasks.append((number, user, inbox, title, notes, number % 3, due, labels, rule, int(done),
                          now if done else None, now, now))
            texts.append((number, title, notes or "", f"u{user} p{inbox}"))
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None, timeout=600)) as database:
            database.execute("PRAGMA cache_size=-400000")
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                """INSERT INTO task (id, version, user_id, project_id, title, notes, priority, due_at, labels, rrule, done,
                    done_at, created_at, updated_at, deadline_all_day, recurrence_mode, short_months, is_reminder, is_tracked,
                    progress_target, progress_current, completion_count, snooze_count, skip_count)
                VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'from_due', 'last_day', 0, 0, 1, 0, 0, 0, 0)""", tasks)
            database.executemany("INSERT INTO task_text (rowid, title, notes, seen) VALUES (?, ?, ?, ?)", texts)
            database.execute("COMMIT")


def token_of(house, name):
    made = house.command("user", "add", name, "--timezone", "Europe/Berlin")
    assert made.returncode == 0, made.stderr
    return house.token(name)


def asked(filler):
    """What is asked for at each step: a name, and the path."""
    often, seldom, rare = filler.words[0], filler.words[400], filler.words[-1]
    return (
        ("list, 200 of them", "/api/tasks"),
        ("  done ones", "/api/tasks?done=true"),
        ("  of a project", "/api/tasks?project_id=INBOX"),
        ("  with a label", "/api/tasks?label=home"),
        ("  over target", "/api/tasks?overdue=true"),
        ("  of a kind", "/api/tasks?kind=task"),
        ("  recurring", "/api/tasks?recurring=true"),
        ("  in the trash", "/api/tasks?trashed=true"),
        ("  the fifth page", "/api/tasks?offset=800"),
        ("search: a rare word", f"/api/tasks?search={rare}"),
        ("  a word", f"/api/tasks?search={seldom}"),
        ("  the commonest word", f"/api/tasks?search={often}"),
        ("  a beginning of two letters", f"/api/tasks?search={seldom[:2]}"),
        ("  two words", f"/api/tasks?search={often}+{seldom}"),
        ("  quoted words", f"/api/tasks?search=%22{often}+{seldom}%22"),
        ("  a word without another", f"/api/tasks?search={seldom}+-{often}"),
        ("counts", "/api/tasks/counts"),
        ("projects, with their counts", "/api/projects"),
    )


def sweep_row(house):
    """500 tasks over target moved at once, and undone, again and again."""
    client = Client(house, token_of(house, "sweeper"))
    for number in range(500):
        client.call("POST", "/api/tasks", {"title": f"late {number}", "due_at": "2026-01-05T09:00:00Z", "enrich": False})
    spent, undone = [], []
    for _ in range(7):
        start = time.perf_counter()
        moved = client.call("POST", "/api/tasks/bulk/snooze-overdue")
        spent.append((time.perf_counter() - start) * 1000)
        assert moved["tasks_affected"] == 500, moved
        start = time.perf_counter()
        client.call("POST", "/api/undo")
        undone.append((time.perf_counter() - start) * 1000)
    return [Row("bulk snooze of 500 over target", f"{statistics.median(spent):.1f} ms", "", "", "< 50 ms"),
            Row("  its undo", f"{statistics.median(undone):.1f} ms", "", "", "")]


def listener_rows(house, token):
    """1,000 open event streams that nothing is said to: memory and CPU; then one event to all."""
    child = house.child("opentask-api")
    address = urllib.parse.urlsplit(house.url)
    before = Memory([child]).once
    request = f"GET /api/sync/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    streams = [socket.create_connection((address.hostname, address.port)) for _ in range(LISTENERS)]
    try:
        with selectors.DefaultSelector() as selector:
            for stream in streams:
                stream.sendall(request)
                selector.register(stream, selectors.EVENT_READ)

            def all_read(word):
                waiting, heard = set(streams), {stream: b"" for stream in streams}
                while waiting:
                    ready = selector.select(60)
                    assert ready, f"{len(waiting)} streams have not heard of it"
                    for key, _ in ready:
                        heard[key.fileobj] += key.fileobj.recv(65536)
                        if word in heard[key.fileobj]:
                            waiting.discard(key.fileobj)

            all_read(b"connected")
            time.sleep(2)
            during = Memory([child]).once
            start = ticks(child)
            time.sleep(20)
            spent = ticks(child) - start
            start = time.perf_counter()
            Client(house, token).call("POST", "/api/tasks", {"title": "for all", "enrich": False})
            all_read(b"for all")
            heard = (time.perf_counter() - start) * 1000
    finally:
        for stream in streams:
            stream.close()
    return [
        Row(f"memory of {LISTENERS:,} idle event streams", f"{during - before:.1f} MB", "", "", "< 100 MB"),
        Row("  CPU meanwhile, 20 s", f"{spent} ticks", "", "", "0 ticks"),
        Row("  until the last of them has heard of a change", f"{heard:.0f} ms", "", "", ""),
    ]


def rows(house, steps=STEPS, say=print):
    """Times at each size, and the same for somebody who has 200 tasks while the other has them all."""
    names = {}
    for name in ("small", "big"):
        client = Client(house, token_of(house, name))
        projects = client.call("GET", "/api/projects")["projects"]
        names[name] = client, client.call("GET", "/api/auth/me")["id"], projects[0]["id"]
    filler = Filler(house)
    small, small_id, small_inbox = names["small"]
    big, big_id, big_inbox = names["big"]
    filler.fill(small_id, small_inbox, 2_000)  # 200 of them open
    questions = asked(filler)
    alone = {what: small.milliseconds("GET", path.replace("INBOX", str(small_inbox)), times=60) for what, path in questions}
    times, count = {}, 0
    for step in steps:
        start = time.perf_counter()
        filler.fill(big_id, big_inbox, step - count)
        count = step
        say(f"  {step:,} tasks put in within {time.perf_counter() - start:.0f} s")
        for what, path in questions:
            times[what, step] = big.milliseconds("GET", path.replace("INBOX", str(big_inbox)))
        made = []

        def create():
            made.append(big.call("POST", "/api/tasks", {"title": "one more", "enrich": False})["id"])

        for what, act in (("create", create), ("done", lambda: big.call("POST", f"/api/tasks/{made.pop()}/done"))):
            spent = []
            for _ in range(15):
                start = time.perf_counter()
                act()
                spent.append((time.perf_counter() - start) * 1000)
            times[what, step] = statistics.median(spent)
    lines = [("", *(f"{step:,}" for step in steps))]
    for what in [name for name, _ in questions] + ["create", "done"]:
        lines.append((what, *(f"{times[what, step]:.1f} ms" for step in steps)))
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    say("one user's tasks, a tenth of them open, of a million 46,000:")
    for line in lines:
        say("  " + "  ".join(cell.ljust(width) if at == 0 else cell.rjust(width)
                             for at, (cell, width) in enumerate(zip(line, widths))).rstrip())
    result = []
    for what, path in questions:
        beside = small.milliseconds("GET", path.replace("INBOX", str(small_inbox)), times=60)
        result.append(Row(
            f"200 open tasks beside {steps[-1]:,}: {what.strip()}", f"{beside:.2f} ms", f"{alone[what]:.2f} ms",
            f"{beside / alone[what]:.2f}", "<= 1.2"))
    for step in steps:
        if step == 100_000:
            result.append(Row("search over 100,000 tasks: a word", f"{times['  a word', step]:.1f} ms", "", "", "< 5 ms"))
    return result


def growth_rows(house, token, say=print):
    return [*listener_rows(house, token), *sweep_row(house), *rows(house, say=say)]
