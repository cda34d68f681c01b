"""The real opentask-push: started as the service manager would, called over its socket with plain JSON and NUL."""

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BINARY = Path(os.environ.get("OPENTASK_BIN", ROOT / ".build" / "debug")) / "opentask-push"

# Hands descriptor argv[1] over as number 3; LISTEN_PID must be the number of the process that is executed.
HAND_OVER = """
import os, sys
fd = int(sys.argv[1])
if fd == 3:
    os.set_inheritable(3, True)
else:
    os.dup2(fd, 3)
os.environ.update(LISTEN_FDS="1", LISTEN_FDNAMES="varlink", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], [sys.argv[2]])
"""


class CallError(Exception):
    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name, self.parameters = name, parameters


class PushService:
    """A folder, a listening socket that outlives the process, and the process."""

    def __init__(self, folder: Path, environment: dict):
        self.folder = folder
        self.environment = {
            "PATH": os.environ["PATH"],
            "OPENTASK_STATE": str(folder),
            "LOG_LEVEL": "debug",
            **environment,
        }
        self.path = str(folder / "push.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(128)
        self.process = None
        self.log: list[str] = []
        self.ids = (f"test-{n}" for n in itertools.count(1))

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", HAND_OVER, str(self.listener.fileno()), str(BINARY)],
            env=self.environment,
            pass_fds=[self.listener.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._read_log, args=(self.process.stderr,), daemon=True).start()
        return self

    def _read_log(self, stream):
        for line in stream:
            self.log.append(line.rstrip())

    def stop(self) -> tuple[int, float]:
        """SIGTERM. Returns the exit status and how long it took, s."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30), time.monotonic() - start

    def kill(self):
        self.process.kill()
        self.process.wait(30)

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()
        self.listener.close()

    def call(self, method: str, **parameters) -> dict:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(30)
            peer.connect(self.path)
            call = {"method": f"org.opentask.push.{method}", "parameters": parameters}
            peer.sendall(json.dumps(call).encode() + b"\0")
            answer = bytearray()
            while not answer.endswith(b"\0"):
                chunk = peer.recv(65536)
                if not chunk:
                    raise ConnectionError("closed without an answer")
                answer += chunk
        reply = json.loads(answer[:-1])
        if "error" in reply:
            raise CallError(reply["error"], reply.get("parameters"))
        return reply.get("parameters", {})

    def deliver(self, *messages: dict) -> list[str]:
        accepted = self.call("Deliver", messages=list(messages))["accepted"]
        assert accepted == [message["id"] for message in messages]
        return accepted

    def message(self, kind: str, user: int = 1, at: int | None = None, **more) -> dict:
        return {
            "id": next(self.ids),
            "user": user,
            "kind": kind,
            "at": int(time.time()) if at is None else at,
            **more,
        }

    def register(self, registration: dict, user: int = 1):
        self.deliver(self.message("register", user, registration=registration))

    def alert(self, task: int = 42, user: int = 1, at: int | None = None, **more) -> dict:
        """An over-target alert as the api makes it (N-16 to N-18)."""
        alert = {
            "task_id": task,
            "title": f"Task {task}",
            "body": "Over target",
            "link": f"/?task={task}",
            "category": "TASK_REMINDER",
            "thread": "ot-tasks",
            "collapse_id": f"task-{task}",
            "level": "active",
            "sound": True,
            "data": {"taskId": task, "dueAt": "2026-03-01T09:00:00.000Z", "priority": 2, "overdueCount": 3},
            "urgency": "normal",
            "ttl_seconds": 3600,
            "silent": False,
            "web_actions": True,
            "channels": ["webpush", "apns"],
            **more,
        }
        return self.message("alert", user, at, alert=alert)

    def log_of(self, user: int = 1) -> list[dict]:
        return self.call("GetLog", user=user, limit=1000)["entries"]

    def wait_until(self, condition, patience: float = 30.0):
        """Asks for the status until `condition(status)` holds. The service has no stream to wait on."""
        end = time.monotonic() + patience
        while not condition(status := self.call("Status")):
            assert time.monotonic() < end, f"not in time: {status}"
            time.sleep(0.02)
        return status

    def wait_idle(self):
        return self.wait_until(lambda status: status["queued"] == 0)


@contextlib.contextmanager
def push_service(folder: Path, environment: dict, start: bool = True):
    service = PushService(folder, environment)
    try:
        yield service.start() if start else service
    finally:
        service.close()
        for line in service.log:
            print(line)  # pytest shows it when a test fails
