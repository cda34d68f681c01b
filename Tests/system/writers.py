"""Clients that add tasks one after the other, each on a connection that it keeps.

    writers.py URL TOKEN COUNT      writes until standard input ends, then prints what was written and what failed
"""

import http.client
import json
import selectors
import sys
import threading
import urllib.parse

PATIENCE = 60


class Writers:
    """Use it in a `with`: the writers stop at its end."""

    def __init__(self, url, token, count):
        self.address = urllib.parse.urlsplit(url)
        self.token = token
        self.stopped = threading.Event()
        # One list per writer, the ids that were acknowledged.
        self.written = [[] for _ in range(count)]
        self.failures = []
        self.threads = [threading.Thread(target=self._work, args=(index,)) for index in range(count)]

    @property
    def count(self):
        return sum(map(len, self.written))

    def _work(self, index):
        connection = None
        while not self.stopped.is_set():
            title = f"writer {index} task {len(self.written[index])}"
            try:
                # A server may close a kept connection while it is idle, at any time (RFC 9112 section 9.6); a client
                # sees that and opens another before it sends. What was sent and not answered is a failure.
                if connection is None or ended(connection):
                    connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=PATIENCE)
                    connection.connect()
                connection.request(
                    "POST", "/api/tasks", json.dumps({"title": title, "priority": 1}),
                    {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
                reply = connection.getresponse()
                body = json.loads(reply.read())
                if reply.status == 201:
                    self.written[index].append(body["data"]["id"])
                else:
                    self.failures.append([title, reply.status, body])
                if reply.will_close:
                    connection.close()
                    connection = None
            except Exception as failure:
                self.failures.append([title, repr(failure)])
                connection = None
        if connection:
            connection.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join(PATIENCE)


def ended(connection):
    """Whether the server has ended this idle connection."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


if __name__ == "__main__":
    with Writers(sys.argv[1], sys.argv[2], int(sys.argv[3])) as writers:
        print("writing", flush=True)
        sys.stdin.read()
    print(json.dumps({"written": sorted(sum(writers.written, [])), "failures": writers.failures}))
