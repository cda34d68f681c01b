"""Programs of the house and of others, started as the service manager would: with their listening sockets from 3 on."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("OPENTASK_BIN", ROOT / ".build" / "debug")) / "opentask-enrich"
EXAMPLE = ROOT / "examples" / "enrich-python" / "enricher.py"
NAME = "org.opentask.enricher"

# Moves the descriptors of argv[1] to 3, 4 …; LISTEN_PID must be the number of the process that is executed.
HAND_OVER = """
import os, sys
given = [int(fd) for fd in sys.argv[1].split(",")]
high = [os.dup2(fd, 100 + i) for i, fd in enumerate(given)]
for i, fd in enumerate(high):
    os.dup2(fd, 3 + i)
os.environ.update(LISTEN_FDS=str(len(given)), LISTEN_FDNAMES=sys.argv[2], LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[3], sys.argv[3:])
"""

CONTEXT = {
    "now_local": "2026-01-15T10:00", "time_zone": "America/Chicago", "utc_offset_minutes": -360,
    "morning_time": "09:00", "wake_time": "07:00", "sleep_time": "22:00", "week_start": "monday",
    "date_order": "mdy", "quick_add_syntax": "todoist", "projects": [{"name": "Home", "shared": False}],
    "labels": [], "periods": [], "default_period": None, "user_context": None,
}


def listen(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(4096)
    return listener


class Program:
    """A process and the listening sockets that outlive it."""

    def __init__(self, command, names, listeners, environment=None):
        self.command, self.names, self.listeners = command, names, listeners
        self.environment = {"PATH": os.environ["PATH"], **(environment or {})}
        self.process = None

    def start(self):
        fds = [listener.fileno() for listener in self.listeners]
        self.process = subprocess.Popen(
            [sys.executable, "-c", HAND_OVER, ",".join(map(str, fds)), self.names, *map(str, self.command)],
            env=self.environment, pass_fds=fds, stderr=subprocess.PIPE, text=True)

    def stop(self, signal_number=signal.SIGTERM):
        self.process.send_signal(signal_number)
        _, log = self.process.communicate(timeout=60)
        return self.process.returncode, log


class Talk:
    """A connection that speaks JSON and NUL, and nothing of our own code."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.unread = b""

    def send(self, method, parameters=None, **more):
        message = {"method": method, "parameters": parameters or {}, **more}
        self.socket.sendall(json.dumps(message).encode() + b"\0")

    def receive(self):
        while b"\0" not in self.unread:
            chunk = self.socket.recv(65536)
            if not chunk:
                return None
            self.unread += chunk
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.receive()


def enrich(text, kind="task", **context):
    return {"request_id": "r", "attempt": 1, "deadline_ms": 60000, "kind": kind, "text": text,
            "context": {**CONTEXT, **context}}


class Queue:
    """The api's end of org.opentask.enrichqueue: hands out each text once and again when it comes back."""

    def __init__(self, path):
        self.lock = threading.Condition()
        self.enricher = "builtin"
        self.waiting, self.claimed, self.reports, self.claims = [], {}, {}, 0
        self.failures, self.unknown = {}, 0
        self.listener = listen(path)
        threading.Thread(target=self._accept, daemon=True).start()

    def add(self, texts):
        with self.lock:
            first = len(self.waiting) + len(self.claimed) + len(self.reports) + 1
            self.waiting += [(first + i, text) for i, text in enumerate(texts)]

    def wait(self, is_done, seconds=60):
        with self.lock:
            return self.lock.wait_for(lambda: is_done(self), seconds)

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self._talk, args=[connection], daemon=True).start()

    def _talk(self, connection):
        unread = b""
        while chunk := connection.recv(65536):
            *messages, unread = (unread + chunk).split(b"\0")
            for call in map(json.loads, messages):
                with self.lock:
                    reply = self._answer(call["method"].rsplit(".", 1)[1], call["parameters"])
                    self.lock.notify_all()
                connection.sendall(json.dumps(reply).encode() + b"\0")

    def _answer(self, method, given):
        if method == "Claim":
            self.claims += 1
            jobs, self.waiting = self.waiting[:given["limit"]], self.waiting[given["limit"]:]
            described = []
            for number, text in jobs:
                token = f"{number}-{self.claims}"
                self.claimed[number] = (token, text)
                described.append({
                    "id": number, "token": token, "user": 1, "task": number,
                    "attempt": len(self.failures.get(number, [])) + 1, "kind": "task",
                    "text": text, "enricher": self.enricher, "timeout_ms": 60000, "context": CONTEXT,
                    "project": None, "has_schedule": False, "fallback": "none"})
            return {"parameters": {"jobs": described}}
        token, text = self.claimed.get(given["job"], (None, None))
        if token != given["token"]:
            self.unknown += 1
            return {"error": "org.opentask.enrichqueue.StaleToken", "parameters": {}}
        if method == "Complete":
            del self.claimed[given["job"]]
            self.reports.setdefault(given["job"], []).append(given)
            return {"parameters": {"outcome": "applied"}}
        if method == "Fail":
            del self.claimed[given["job"]]
            failures = self.failures.setdefault(given["job"], [])
            if given["uses_attempt"]:
                failures.append(given["error"])
            if len(failures) == 2 or not given["retryable"]:
                self.reports.setdefault(given["job"], []).append(given)
            else:
                self.waiting.append((given["job"], text))
        return {"parameters": {}}
