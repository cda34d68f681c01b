"""The event stream with many readers, and with readers that come and go (api section 4)."""

import http.client
import json
import selectors
import socket
import threading
import urllib.parse

from client import Api
from house import PATIENCE

LISTENERS = 1000


class Stream:
    """One event stream over a bare socket."""

    def __init__(self, house, token, after=None):
        address = urllib.parse.urlsplit(house.url)
        self.socket = socket.create_connection((address.hostname, address.port), PATIENCE)
        head = f"GET /api/sync/stream HTTP/1.0\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
        head += f"Last-Event-ID: {after}\r\n" if after is not None else ""
        self.socket.sendall(f"{head}\r\n".encode())
        self.heard = b""

    def read(self):
        piece = self.socket.recv(65536)
        assert piece, "the stream has ended"
        self.heard += piece

    def until(self, word):
        while word not in self.heard:
            self.read()
        return self

    def events(self):
        """(id, data) of each whole event so far but the first, which says `connected`."""
        found = []
        for block in self.heard.decode().partition("\r\n\r\n")[2].split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if "data" in fields and "id" in fields:
                found.append((int(fields["id"]), json.loads(fields["data"])))
        return found


def wait_for(streams, word):
    """Until each of them has heard it."""
    with selectors.DefaultSelector() as selector:
        for stream in streams:
            if word not in stream.heard:
                selector.register(stream.socket, selectors.EVENT_READ, stream)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            assert ready, f"{len(selector.get_map())} streams have not heard of {word}"
            for key, _ in ready:
                key.data.read()
                if word in key.data.heard:
                    selector.unregister(key.fileobj)


def test_a_thousand_open_pages_all_hear_of_each_change_once_and_in_order(house):
    token = house.token()
    api = Api(house.url, token)
    streams = [Stream(house, token) for _ in range(LISTENERS)]
    try:
        wait_for(streams, b"connected")
        for title in ("first", "second", "last"):
            api.post("/api/tasks", {"title": title, "enrich": False})
        wait_for(streams, b'"last"')
        for stream in streams:
            told = [data["title"] for _, data in stream.events() if data["type"] == "task_created"]
            assert told == ["first", "second", "last"]
            ids = [number for number, _ in stream.events()]
            assert ids == sorted(set(ids))
        # They have not used up what others need.
        assert api.get("/api/tasks")["count"] == 3
        # Each that went away while something happened gets what it missed, once.
        back = streams[::10]
        last = [stream.events()[-1][0] for stream in back]
        for stream in back:
            stream.socket.close()
        api.post("/api/tasks", {"title": "missed", "enrich": False})
        again = [Stream(house, token, after=number) for number in last]
        wait_for(again, b'"missed"')
        api.post("/api/tasks", {"title": "then", "enrich": False})
        wait_for(again, b'"then"')
        for stream in again:
            assert [data["title"] for _, data in stream.events() if "title" in data] == ["missed", "then"]
            stream.socket.close()
    finally:
        for stream in streams:
            stream.socket.close()


def test_nothing_is_lost_between_the_list_and_the_stream(house):
    """A page opens its stream and then loads its list, while others write: one of the two has each task."""
    token = house.token()
    api = Api(house.url, token)
    titles, done = [], threading.Event()

    def write():
        address = urllib.parse.urlsplit(house.url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
        while not done.is_set() and len(titles) < 900:
            title = f"n{len(titles)}"
            connection.request("POST", "/api/tasks", json.dumps({"title": title, "enrich": False}),
                               {"Authorization": f"Bearer {token}"})
            reply = connection.getresponse()
            assert reply.status == 201 and reply.read()
            titles.append(title)

    writer = threading.Thread(target=write)
    writer.start()
    pages = []
    try:
        for _ in range(20):
            stream = Stream(house, token).until(b"connected")
            pages.append((stream, {task["title"] for task in api.get("/api/tasks?limit=1000")["tasks"]}))
    finally:
        done.set()
        writer.join()
    api.post("/api/tasks", {"title": "end", "enrich": False})
    wait_for([stream for stream, _ in pages], b'"end"')
    for stream, listed in pages:
        told = [data["title"] for _, data in stream.events() if "title" in data]
        assert len(told) == len(set(told))
        assert listed | set(told) == {*titles, "end"}
        stream.socket.close()
