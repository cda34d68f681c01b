"""Rows about the running house: its memory, its CPU while idle, how long a service takes from nothing."""

import contextlib
import json
import os
import pathlib
import socket
import statistics
import subprocess
import time
import urllib.parse

from house import SERVICES
from measure import PATIENCE, Row
from peers import BINARIES, free_port, peer_environment, running, uvicorn

IDLE_SECONDS = 10
WATCHED_SECONDS = 30
STARTS = 5


class Memory:
    """What processes have in memory, in MB of 10^6 bytes.

    once  every page counted once: the private ones of each process, and of each piece of a file the most that one of
          them has of it. What the machine would have more of without them.
    rss   as `ps` has it: a page of a library counts in each process that has it.
    pss   the same page divided by all who have it, whoever they are: the kernel's own figure, too small as soon as
          something else on the machine runs on the same libraries.
    """

    def __init__(self, numbers):
        private = rss = pss = 0
        shared = {}
        for number in numbers:
            piece = None
            for line in pathlib.Path(f"/proc/{number}/smaps").read_text().splitlines():
                fields = line.split()
                if not fields[0].endswith(":"):
                    # address, permissions, offset, device, inode, path
                    piece = (fields[2], fields[3], fields[4])
                elif fields[0] == "Rss:":
                    resident = int(fields[1])
                    rss += resident
                elif fields[0] == "Pss:":
                    pss += int(fields[1])
                elif fields[0] == "Anonymous:":
                    private += int(fields[1])
                    shared[piece] = max(shared.get(piece, 0), resident - int(fields[1]))
        self.once, self.rss, self.pss = (kib * 1024 / 1e6 for kib in (private + sum(shared.values()), rss, pss))


def ticks(number):
    """User and system time of a process, in clock ticks of 10 ms (proc_pid_stat(5), fields 14 and 15)."""
    fields = pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def threads(number):
    return list(pathlib.Path(f"/proc/{number}/task").iterdir())


def microseconds(number):
    """Time on a CPU of all threads (the first number of schedstat): ticks are too coarse for a house that sleeps."""
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads(number)) / 1000


def wakeups(number):
    """How often the threads of a process have given up the CPU to wait: each was woken once for it."""
    return sum(
        int(line.split()[1])
        for thread in threads(number) for line in (thread / "status").read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches"))


def idle_rows(house, peer_memory):
    """The house has started, has its tasks, and is left alone."""
    time.sleep(IDLE_SECONDS)
    numbers = {service: house.child(service) for service in SERVICES}
    ours = Memory(numbers.values())
    rows = [
        Row(f"memory of the four after {IDLE_SECONDS} s idle", f"{ours.once:.1f} MB", f"{peer_memory.once:.1f} MB",
            f"{ours.once / peer_memory.once:.2f}", "< 80 MB"),
        Row("  the same as sum of RSS", f"{ours.rss:.1f} MB", f"{peer_memory.rss:.1f} MB",
            f"{ours.rss / peer_memory.rss:.2f}", ""),
        Row("  the same as sum of PSS", f"{ours.pss:.1f} MB", f"{peer_memory.pss:.1f} MB",
            f"{ours.pss / peer_memory.pss:.2f}", ""),
    ]
    for service, number in numbers.items():
        alone = Memory([number])
        rows.append(Row(f"  RSS, PSS of {service}", f"{alone.rss:.1f}, {alone.pss:.1f} MB", "", "", ""))

    before = {service: (ticks(n), microseconds(n), wakeups(n)) for service, n in numbers.items()}
    time.sleep(WATCHED_SECONDS)
    spent = {
        service: [b - a for a, b in zip(before[service], (ticks(n), microseconds(n), wakeups(n)))]
        for service, n in numbers.items()
    }
    rows.append(Row(
        f"CPU of the four, idle for {WATCHED_SECONDS} s", f"{sum(s[0] for s in spent.values())} ticks", "",
        f"{sum(s[1] for s in spent.values()) / 1e4 / WATCHED_SECONDS:.4f} %", "0 ticks"))
    rows.append(Row(
        "wake-ups of the scheduler meanwhile", str(spent["opentask-scheduler"][2]), "", "", "0"))
    rows.append(Row(
        "  of api, enrich, push",
        ", ".join(str(spent[f"opentask-{name}"][2]) for name in ("api", "enrich", "push")), "", "", ""))
    return rows


def memory_row(house, what):
    return Row(what, f"{Memory([house.child(service) for service in SERVICES]).once:.1f} MB", "", "", "")


def first_reply(command, environment, address, request, end, folder):
    """Milliseconds from the first connection, which is what starts the service, to the end of its reply."""
    with open(folder / "activation.log", "ab") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    with running(process):
        family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
        deadline = time.monotonic() + PATIENCE
        while True:
            with socket.socket(family) as connection:
                connection.settimeout(PATIENCE)
                try:
                    start = time.perf_counter()
                    connection.connect(address)
                except OSError:  # systemd-socket-activate does not listen yet
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.005)
                    continue
                connection.sendall(request)
                reply = b""
                while end not in reply:
                    piece = connection.recv(65536)
                    if not piece:
                        raise AssertionError(f"no reply: {(folder / 'activation.log').read_text()}")
                    reply += piece
                return (time.perf_counter() - start) * 1000


def activated(service, sockets, folder):
    """systemd's own activator with the sockets of a unit, and the variables that the unit sets."""
    command = ["systemd-socket-activate"]
    for name, address in sockets:
        command += ["--listen", address]
    command += ["--fdname", ":".join(name for name, _ in sockets)]
    for variable in (f"OPENTASK_STATE={folder}", f"OPENTASK_RUN={folder}", "LOG_LEVEL=warn"):
        command += ["--setenv", variable]
    return [*command, str(BINARIES / service)]


def activation_rows(folder):
    """Each service from its first connection on, on a database that is there; the first start makes it, uncounted."""
    state = folder / "activated"
    state.mkdir()

    def api():
        port = free_port()
        (state / "api.sock").unlink(missing_ok=True)
        return first_reply(
            activated("opentask-api", [("http", f"127.0.0.1:{port}"), ("varlink", str(state / "api.sock"))], state),
            os.environ, ("127.0.0.1", port), b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n", b'"ok"}', state)

    def push():
        (state / "push.sock").unlink(missing_ok=True)
        return first_reply(
            activated("opentask-push", [("varlink", str(state / "push.sock"))], state), os.environ,
            str(state / "push.sock"), json.dumps({"method": "org.varlink.service.GetInfo"}).encode() + b"\0", b"\0",
            state)

    def peer():
        port = free_port()
        command = [
            "systemd-socket-activate", "--listen", f"127.0.0.1:{port}",
            "--setenv", f"OPENTASK_PEER_DB={folder}/peer.db", *uvicorn("--fd", "3"),
        ]
        # The smallest answer that it has: nobody is signed in.
        return first_reply(
            command, peer_environment(folder), ("127.0.0.1", port),
            b"GET /api/tasks HTTP/1.1\r\nHost: localhost\r\n\r\n", b"}", state)

    for start in (api, push, peer):
        start()
    rounds = [(api(), push(), peer()) for _ in range(STARTS)]
    ours, pushed, theirs = (statistics.median(column) for column in zip(*rounds))
    return [
        Row("first reply after socket activation: api", f"{ours:.0f} ms", f"{theirs:.0f} ms",
            f"{statistics.median(r[0] / r[2] for r in rounds):.3f}", ""),
        Row("  push (Varlink GetInfo)", f"{pushed:.0f} ms", f"{theirs:.0f} ms",
            f"{statistics.median(r[1] / r[2] for r in rounds):.3f}", ""),
    ]
