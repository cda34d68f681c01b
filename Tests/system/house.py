"""What the tests of whole processes share: a running house, one service alone, a Varlink call."""

import json
import os
import pathlib
import re
import selectors
import socket
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARIES = pathlib.Path(os.environ.get("OPENTASK_BIN", REPOSITORY / ".build" / "debug"))
SERVICES = ("opentask-api", "opentask-enrich", "opentask-push", "opentask-scheduler")

# The sockets of each service and the names under which they are handed over, as in deploy/systemd.
SOCKETS = {
    "opentask-api": ("http", "varlink"),
    "opentask-enrich": ("varlink", "builtin"),
    "opentask-push": ("varlink",),
    "opentask-scheduler": ("varlink",),
}

# A hang is a failure; nothing here takes nearly as long.
PATIENCE = 60


class LineReader:
    """Lines of a pipe, with an end to the patience."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.buffer = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(pipe, selectors.EVENT_READ)

    def line(self):
        """The next line without its end; None when the pipe is closed."""
        while b"\n" not in self.buffer:
            if not self.selector.select(PATIENCE):
                raise TimeoutError("no line came")
            piece = os.read(self.pipe.fileno(), 65536)
            if not piece:
                return None
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode()


class House:
    """`opentask up` on a folder of its own and a free port."""

    def __init__(self, folder, **environment):
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "LOG_LEVEL": "notice", "OPENTASK_INIT_TIMEZONE": "Europe/Berlin", **environment}
        self.process = None
        self.url = None
        self.password = None

    def start(self):
        """Returns when all four are ready."""
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [BINARIES / "opentask", "up", "--listen", "127.0.0.1:0", "--state", self.state],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log)
        lines = LineReader(self.process.stdout)
        self.printed = []
        while (line := lines.line()) is not None:
            self.printed.append(line)
            if found := re.fullmatch(r"OpenTask is ready: (http://\S+)", line):
                self.url = found[1]
            if found := re.search(r"name (\S+), password (\S+)", line):
                self.password = found[2]
            if line.startswith("Ctrl-C"):
                return self
        raise AssertionError("opentask up ended:\n" + self.log_text())

    @property
    def state(self):
        return self.folder / "state"

    @property
    def run(self):
        return self.state / "run"

    def log_text(self):
        return (self.folder / "log").read_text(errors="replace")

    def child(self, service):
        """The process number of a service; None while it is down."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for number in children:
            try:
                if os.readlink(f"/proc/{number}/exe") == str((BINARIES / service).resolve()):
                    return int(number)
            except FileNotFoundError:
                pass
        return None

    def command(self, *words, **options):
        return subprocess.run(
            [BINARIES / "opentask", *words], env={**self.environment, "OPENTASK_STATE": str(self.state)},
            capture_output=True, text=True, timeout=PATIENCE, **options)

    def token(self, user="admin"):
        done = self.command("token", "create", user, "test")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def task_ids(self):
        """The ids of all open tasks, page by page."""
        return task_ids(lambda *words: self.command(*words).stdout)

    def stop(self):
        """SIGTERM, as Ctrl-C does; the status that it ended with."""
        self.process.terminate()
        return self.end()

    def end(self):
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.log.close()
        return status

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.stop()


class Lone:
    """One service alone, started as the service manager starts it."""

    def __init__(self, service, folder, sockets=None, **environment):
        self.folder = pathlib.Path(folder)
        self.listeners = []
        for name in SOCKETS[service] if sockets is None else sockets:
            if name == "http":
                listener = socket.create_server(("127.0.0.1", 0))
            else:
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(str(self.path(name)))
                listener.listen(64)
            self.listeners.append((name, listener))
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(self.folder / "notify"))
        self.notices.settimeout(PATIENCE)
        variables = {
            **os.environ, "OPENTASK_STATE": str(self.folder), "OPENTASK_RUN": str(self.folder),
            "NOTIFY_SOCKET": str(self.folder / "notify"), "LOG_LEVEL": "debug", **environment,
        }
        # A shell moves the sockets to 3, 4, … and becomes the service, so that LISTEN_PID is its own number.
        spare = [os.dup2(listener.fileno(), 60 + at) for at, (_, listener) in enumerate(self.listeners)]
        script = 'exec "$0"'
        if self.listeners:
            variables["LISTEN_FDS"] = str(len(self.listeners))
            variables["LISTEN_FDNAMES"] = ":".join(name for name, _ in self.listeners)
            moves = " ".join(f"{3 + at}<&{fd} {fd}<&-" for at, fd in enumerate(spare))
            script = f'exec {moves}; export LISTEN_PID=$$ WATCHDOG_PID=$$; exec "$0"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, str(BINARIES / service)], env=variables, pass_fds=spare,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "wb"))
        for fd in spare:
            os.close(fd)

    def path(self, name):
        return self.folder / f"{name}.sock"

    def notice(self):
        """The next message to the service manager, as lines."""
        return self.notices.recv(4096).decode().splitlines()

    def ready(self):
        assert "READY=1" in self.notice(), self.log()
        return self

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self.notices.close()
        for _, listener in self.listeners:
            listener.close()


def varlink(path, method, parameters=None):
    """One Varlink call; the whole reply."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        connection.sendall(json.dumps({"method": method, "parameters": parameters or {}}).encode() + b"\0")
        reply = b""
        while not reply.endswith(b"\0"):
            piece = connection.recv(65536)
            if not piece:
                raise ConnectionError("the connection ended before the reply")
            reply += piece
        return json.loads(reply[:-1])


def tasks_of(command):
    """All open tasks, by what `command` prints for the words of an `opentask` command."""
    tasks = []
    while page := json.loads(command("list", "--json", "--limit", "1000", "--offset", str(len(tasks))))["tasks"]:
        tasks += page
    return tasks


def task_ids(command):
    return {task["id"] for task in tasks_of(command)}
