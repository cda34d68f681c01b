"""Real reverse proxies in front of a running house, from Debian's packages, with nothing set but what the page on
installing says. They are unpacked below var/ by `tools/setup test`, or installed on the machine.
"""

import contextlib
import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "system"))

from house import House  # noqa: E402

PATIENCE = 60


def find(name, unpacked):
    path = ROOT / "var" / unpacked
    return str(path) if path.exists() else shutil.which(name)


PROGRAMS = {"nginx": find("nginx", "nginx/usr/sbin/nginx"), "caddy": find("caddy", "caddy/usr/bin/caddy")}


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def nginx(folder, port, house, prefix, header, source):
    path = f"{prefix}/"
    lines = [f"proxy_pass http://127.0.0.1:{house}/;"]
    if prefix:
        lines.append(f"proxy_set_header X-Forwarded-Prefix {prefix};")
    if header:
        lines.append("proxy_set_header {} {};".format(*header))
    if source:
        lines.append(f"proxy_bind {source};")
    places = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root; " if os.geteuid() == 0 else ""  # its workers may not read the test's folder otherwise
    (folder / "nginx.conf").write_text(
        f"daemon off; {user}pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ access_log off; {places}\n server {{ listen 127.0.0.1:{port};\n"
        f"  location {path} {{ {' '.join(lines)} }}\n }} }}\n")
    return [PROGRAMS["nginx"], "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]


def caddy(folder, port, house, prefix, header, source):
    assert not source
    lines = []
    if prefix:
        lines.append(f"header_up X-Forwarded-Prefix {prefix}")
    if header:
        lines.append("header_up {} {}".format(*header))
    proxy = f"reverse_proxy 127.0.0.1:{house} {{\n" + "\n".join(lines) + "\n}" if lines else f"reverse_proxy 127.0.0.1:{house}"
    site = f"redir {prefix} {prefix}/\nhandle_path {prefix}/* {{\n{proxy}\n}}" if prefix else proxy
    (folder / "Caddyfile").write_text(
        f"{{\nadmin off\n}}\nhttp://127.0.0.1:{port}, http://localhost:{port} {{\n{site}\n}}\n")
    return [PROGRAMS["caddy"], "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextlib.contextmanager
def proxy(kind, url, prefix="", header=None, source=None):
    """The address of a proxy of `url`, without a slash at the end.

    prefix   where the house lies on the proxy's host, "" for all of it.
    header   (name, value) that the proxy adds to each request, as one that has signed people in does.
    source   the address that the proxy calls from.
    """
    if PROGRAMS[kind] is None:
        pytest.skip(f"there is no {kind}: tools/setup test")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ot-proxy-", dir="/tmp"))
    port = free_port()
    house = int(url.rsplit(":", 1)[1])
    command = {"nginx": nginx, "caddy": caddy}[kind](folder, port, house, prefix, header, source)
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                connection.request("GET", f"{prefix}/api/health")
                if connection.getresponse().status == 200:
                    break
            assert process.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.02)  # between two knocks at a door that is not open yet
        yield f"http://127.0.0.1:{port}{prefix}"
    finally:
        process.terminate()
        process.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def short_house(**environment):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ot-", dir="/tmp"))
    web = f"{ROOT / 'web'}:{ROOT / 'var' / 'web-vendor'}"
    try:
        with House(folder, OPENTASK_WEB=web, **environment) as house:
            yield house
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def house():
    with short_house() as house:
        house.key = house.token()
        yield house
