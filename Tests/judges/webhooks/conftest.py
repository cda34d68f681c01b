import pathlib
import shutil
import sys
import tempfile

import pytest

TESTS = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(pathlib.Path(__file__).parent), str(TESTS / "system"), str(TESTS / "judges" / "push")]

from client import Api  # noqa: E402
from house import House, varlink  # noqa: E402
from receiver import Receiver  # noqa: E402


@pytest.fixture
def folder():
    """Short: a Unix socket's address has 107 bytes."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="ow-", dir="/tmp"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


class Hooked:
    """A running house, somebody signed in, and one webhook of his that leads to a receiver."""

    EVENTS = [
        "task.created", "task.updated", "task.completed", "task.deleted", "task.restored", "task.snoozed",
        "task.skipped", "task.progressed",
    ]

    def __init__(self, house, receiver):
        self.house, self.receiver = house, receiver
        self.api = Api(house.url, house.token())
        self.hook = self.add(receiver.url + "/hook?a=b")
        self.secret = self.hook["secret"]

    def add(self, url, events=EVENTS):
        return self.api.post("/api/webhooks", {"url": url, "events": events})

    def make(self, title, **more):
        return self.api.post("/api/tasks", {"title": title, "enrich": False, **more})

    def log(self):
        return self.api.get(f"/api/webhooks/{self.hook['id']}/deliveries")["deliveries"]

    def queued(self):
        outbox = varlink(self.house.run / "api.sock", "org.opentask.local.Status")["parameters"]["outbox"]
        return outbox + varlink(self.house.run / "push.sock", "org.opentask.push.Status")["parameters"]["queued"]


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def hooked(folder, receiver):
    with House(folder, OPENTASK_WEBHOOK_TIMEOUT_SECONDS="2") as house:
        yield Hooked(house, receiver)
