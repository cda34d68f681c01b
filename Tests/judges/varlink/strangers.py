"""Programs that this project did not write, or that drive them."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
# Where the products lie: what `swift build --show-bin-path` says.
BIN = pathlib.Path(os.environ.get("OPENTASK_BIN", ROOT / ".build/debug"))
GOPATH = pathlib.Path("/usr/share/gocode")
CERTIFICATION = (
    GOPATH / "src/github.com/varlink/go/cmd/varlink-go-certification/orgvarlinkcertification"
    / "org.varlink.certification.varlink"
)


class Client:
    """One of the two call programs: what it prints, as JSON."""

    def __init__(self, *command):
        self.command = [str(word) for word in command]

    def start(self, *words, **options):
        return subprocess.Popen([*self.command, *map(str, words)], stdout=subprocess.PIPE, text=True, **options)

    def __call__(self, *words, refused=False):
        """The replies; of a call that is to be refused, the error."""
        done = subprocess.run([*self.command, *map(str, words)], capture_output=True, text=True, timeout=120)
        assert done.returncode == (1 if refused else 0), done
        return [json.loads(line) for line in done.stdout.splitlines()]


def need_go():
    if not shutil.which("go") or not CERTIFICATION.exists():
        pytest.skip("needs Debian's golang-go and golang-github-varlink-go-dev")
