"""A client of the HTTP API and of its event stream, by the standard library."""

import http.client
import json
import queue
import threading
import urllib.parse

PATIENCE = 90


class Refused(AssertionError):
    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status, self.body = status, body


class Api:
    """Calls with a Bearer token; what is refused raises."""

    def __init__(self, url, token):
        self.address = urllib.parse.urlsplit(url)
        self.token = token

    def call(self, method, path, body=None, token=True):
        connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {self.token}"} if token else {}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = connection.getresponse()
        text = reply.read()
        connection.close()
        if reply.status >= 400:
            raise Refused(reply.status, text.decode())
        return reply.status, json.loads(text)["data"]

    def get(self, path):
        return self.call("GET", path)[1]

    def post(self, path, body=None):
        return self.call("POST", path, body)[1]

    def task(self, number):
        return self.get(f"/api/tasks/{number}")

    def events(self, after=None):
        return Events(self, after)


class Events:
    """The event stream on a thread of its own."""

    def __init__(self, api, after=None):
        self.queue = queue.Queue()
        self.connection = http.client.HTTPConnection(api.address.hostname, api.address.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {api.token}"}
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        self.connection.request("GET", "/api/sync/stream", headers=headers)
        self.reply = self.connection.getresponse()
        assert self.reply.status == 200
        assert self.reply.getheader("Content-Type").startswith("text/event-stream")
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        assert self.next()["type"] == "connected"

    def _read(self):
        number = None
        try:
            for line in self.reply:
                line = line.decode().rstrip("\n")
                if line.startswith("id: "):
                    number = int(line[4:])
                elif line.startswith("data: "):
                    self.queue.put({"id": number, **json.loads(line[6:])})
        except (OSError, ValueError, http.client.HTTPException):
            pass  # closed by the test or by the server
        self.queue.put(None)

    def next(self):
        event = self.queue.get(timeout=PATIENCE)
        assert event is not None, "the stream ended"
        return event

    def until(self, kind, **fields):
        """The next event of this type with these fields."""
        while True:
            event = self.next()
            if event["type"] == kind and all(event.get(key) == value for key, value in fields.items()):
                return event
