"""The other side of each ratio: nginx, FastAPI with SQLite, http_ece; and the loops in Swift (Tests/BenchLoops)."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request

from measure import PATIENCE

HERE = pathlib.Path(__file__).resolve().parent
BINARIES = pathlib.Path(os.environ["OPENTASK_BIN"])
# Installed, or unpacked by tools/setup.
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:{HERE.parents[1]}/var/nginx/usr/sbin")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def wait_for(url, process, headers=None):
    """Returns when `url` answers with 200."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError(f"{process.args[0]} ended with status {process.returncode}")
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {})) as answer:
                if answer.status == 200:
                    return
        time.sleep(0.05)
    raise TimeoutError(url)


@contextlib.contextmanager
def running(process, stop=signal.SIGTERM):
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(stop)
        process.wait(PATIENCE)


@contextlib.contextmanager
def nginx(folder):
    """Answers every path with the body of our health check, from memory, on as many processes as there are cores."""
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(f"""
        worker_processes auto;
        daemon off;
        pid {folder}/nginx.pid;
        error_log {folder}/nginx.log;
        events {{ worker_connections 1024; }}
        http {{
            access_log off;
            keepalive_requests 100000000;
            client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
            uwsgi_temp_path {folder}; scgi_temp_path {folder};
            server {{
                listen 127.0.0.1:{port};
                location / {{
                    default_type application/json;
                    add_header Cache-Control no-store;
                    return 200 '{{"status":"ok"}}';
                }}
            }}
        }}
    """)
    process = subprocess.Popen([NGINX, "-e", str(folder / "nginx.log"), "-c", str(configuration)])
    with running(process):
        wait_for(f"http://127.0.0.1:{port}/", process)
        yield f"http://127.0.0.1:{port}"


def uvicorn(*options):
    """The command that serves peer.py; quiet, as ours is."""
    return [
        sys.executable, "-m", "uvicorn", "--app-dir", str(HERE), "peer:app", "--loop", "uvloop", "--http", "httptools",
        "--log-level", "warning", "--no-access-log", *options,
    ]


def peer_environment(folder):
    return {**os.environ, "OPENTASK_PEER_DB": str(folder / "peer.db")}


@contextlib.contextmanager
def fastapi(folder, ours, token):
    """Serves a copy of our database, taken now."""
    with contextlib.closing(sqlite3.connect(ours)) as source, \
            contextlib.closing(sqlite3.connect(folder / "peer.db")) as copy:
        source.backup(copy)
    port = free_port()
    process = subprocess.Popen(
        uvicorn("--host", "127.0.0.1", "--port", str(port), "--workers", str(os.cpu_count())),
        env=peer_environment(folder), start_new_session=True)
    with running(process):
        wait_for(f"http://127.0.0.1:{port}/api/tasks", process, {"Authorization": f"Bearer {token}"})
        time.sleep(1)  # the other worker may still be starting
        yield Served(f"http://127.0.0.1:{port}", process.pid)


class Served(str):
    """An address, and who answers there."""

    def __new__(cls, url, process):
        served = super().__new__(cls, url)
        served.process = process
        return served


def descendants(number):
    """The process and all below it."""
    found = [number]
    for thread in pathlib.Path(f"/proc/{number}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found += descendants(int(child))
    return found


def loop(*words):
    """Rounds per second of one of our loops."""
    done = subprocess.run(
        [BINARIES / "bench-loops", *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, check=True)
    return float(done.stdout)


@contextlib.contextmanager
def echo(path):
    """Answers `bench-loops varlink` and `bench-loops raw` at `path`."""
    process = subprocess.Popen(
        [BINARIES / "bench-loops", "serve", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        yield
    finally:
        process.stdin.close()
        process.wait(PATIENCE)
        process.stdout.close()


def http_ece_messages(seconds):
    """Messages per second of http_ece, used as pywebpush does: a key of its own for each."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    browser = ec.generate_private_key(ec.SECP256R1()).public_key()
    key = browser.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    secret = os.urandom(16)
    text = b"x" * 250

    def rounds(seconds):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            body = http_ece.encrypt(
                text, private_key=ec.generate_private_key(ec.SECP256R1()), dh=key, auth_secret=secret,
                version="aes128gcm")
            assert len(body) == 86 + len(text) + 1 + 16
            count += 1
        return count / (time.perf_counter() - start)

    rounds(seconds / 10)
    return rounds(seconds)
