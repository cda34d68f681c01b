"""Runs inside a rig: a Web Push service with one browser, and writers whose every turn sends that browser one message.

    receiver.py URL FOLDER PUSH_SOCKET

Puts its authority's certificate into FOLDER as ca.pem and prints `ready`. A line with a token starts 16 writers; each adds a
task with a target and completes it, which dismisses that task's notifications (N-40). The end of standard input stops
them; when push has nothing left to deliver, what was done, what failed and what arrived is printed as JSON.
"""

import collections
import json
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "judges" / "push")]

from client import Api  # noqa: E402
from http2_double import Authority  # noqa: E402
from web_push_double import WebPushDouble  # noqa: E402
from house import varlink  # noqa: E402
from writers import Writers  # noqa: E402

PATIENCE = 180


class Finishers(Writers):
    """Writers that complete what they have added."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.done = []

    def write(self, index, title):
        status, body = self.send(index, "/api/tasks", {"title": title, "due_at": "2099-01-01T09:00:00Z"})
        if status != 201:
            self.failures.append([title, status, body])
            return
        number = body["data"]["id"]
        self.written[index].append(number)
        status, body = self.send(index, f"/api/tasks/{number}/done", {})
        if status == 200:
            self.done.append(number)
        else:
            self.failures.append([title, status, body])


def main(url, folder, push_socket):
    web = WebPushDouble(Authority(pathlib.Path(folder)))
    print("ready", flush=True)
    token = sys.stdin.readline().strip()
    api, browser = Api(url, token), web.subscribe()
    api.post("/api/push/subscribe", browser.json)
    with Finishers(url, token, 16) as writers:
        print("writing", flush=True)
        sys.stdin.read()

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        outbox = varlink("/run/opentask/api.sock", "org.opentask.local.Status")["parameters"]["outbox"]
        queued = varlink(push_socket, "org.opentask.push.Status")["parameters"]["queued"]
        if outbox == 0 and queued == 0:
            break
        time.sleep(0.2)
    arrived = collections.Counter(
        number for push in web.seen() for number in push.message.get("taskIds", []))
    stored, page = set(), [None]
    while page:
        page = api.get(f"/api/tasks?done=true&limit=1000&offset={len(stored)}")["tasks"]
        stored |= {task["id"] for task in page}
    api.call("DELETE", "/api/push/subscribe", {"endpoint": browser.endpoint})
    print(json.dumps({
        "failures": writers.failures, "done": sorted(writers.done), "stored": sorted(stored),
        "left": outbox + queued, "arrived": arrived,
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
