"""Clients that add tasks one after the other, each on a connection that it keeps."""

import http.client
import json
import selectors
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
        self.connections = {}
        self.threads = [threading.Thread(target=self._work, args=(index,)) for index in range(count)]

    @property
    def count(self):
        return sum(map(len, self.written))

    def _work(self, index):
        self.connections[index] = None
        while not self.stopped.is_set():
            title = f"writer {index} task {len(self.written[index])}"
            try:
                self.write(index, title)
            except Exception as failure:
                self.failures.append([title, repr(failure)])
                self.connections[index] = None
        if self.connections[index]:
            self.connections[index].close()

    def write(self, index, title):
        """One turn of a writer."""
        status, body = self.send(index, "/api/tasks", {"title": title, "priority": 1})
        if status == 201:
            self.written[index].append(body["data"]["id"])
        else:
            self.failures.append([title, status, body])

    def send(self, index, path, body):
        """POSTs on the writer's own connection; status and body of the answer."""
        connection = self.connections[index]
        # A server may close a kept connection while it is idle, at any time (RFC 9112 section 9.6); a client sees that
        # and opens another before it sends. What was sent and not answered is a failure.
        if connection is None or ended(connection):
            connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=PATIENCE)
            connection.connect()
            self.connections[index] = connection
        connection.request(
            "POST", path, json.dumps(body),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        reply = connection.getresponse()
        answer = json.loads(reply.read())
        if reply.will_close:
            connection.close()
            self.connections[index] = None
        return reply.status, answer

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
