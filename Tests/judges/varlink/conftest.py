"""The two clients, and a service for them to talk to."""

import os
import subprocess
import sys

import pytest
from strangers import BIN, CERTIFICATION, GOPATH, HERE, Client, need_go


@pytest.fixture(scope="session")
def go_client(tmp_path_factory):
    need_go()
    program = tmp_path_factory.mktemp("go") / "call"
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(GOPATH), "GOFLAGS": ""}
    subprocess.run(["go", "build", "-o", str(program), str(HERE / "call.go")], check=True, env=environment, cwd="/")
    return Client(program)


@pytest.fixture(params=["python", "go"])
def client(request):
    if request.param == "python":
        return Client(sys.executable, HERE / "call.py")
    return request.getfixturevalue("go_client")


@pytest.fixture
def peer(tmp_path):
    """The path of a running varlink-peer's socket."""
    program = BIN / "varlink-peer"
    if not program.exists():
        pytest.fail(f"{program} is not there: swift build --product varlink-peer")
    path = tmp_path / "peer"
    texts = [CERTIFICATION] if CERTIFICATION.exists() else []
    process = subprocess.Popen(
        [program, path, *texts], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    yield path
    process.stdin.close()
    assert process.wait(timeout=60) == 0
