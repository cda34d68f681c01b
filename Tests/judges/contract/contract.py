"""What the judges of the HTTP API share: a running house with two people in it, and its document."""

import http.client
import json
import pathlib
import re
import socket
import sqlite3
import sys
import urllib.parse

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "system"))

from house import House  # noqa: E402

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
PATIENCE = 60


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def data(self):
        return self.json["data"]

    def __repr__(self):
        return f"{self.status} {self.body[:400]!r}"


class Client:
    """Requests as one likes them: nothing is checked, encoded or mended on the way."""

    def __init__(self, url, token=None):
        self.address = urllib.parse.urlsplit(url)
        self.token = token
        self.connection = None

    def send(self, method, target, body=None, headers=(), token=True):
        """One request on a kept connection. `body` is bytes, or a value to be written as JSON."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        for attempt in (1, 2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(
                    self.address.hostname, self.address.port, timeout=PATIENCE)
            try:
                self.connection.putrequest(method, target, skip_accept_encoding=True)
                if token and self.token:
                    self.connection.putheader("Authorization", f"Bearer {self.token}")
                for name, value in headers:
                    self.connection.putheader(name, value)
                if body is not None:
                    self.connection.putheader("Content-Length", str(len(body)))
                self.connection.endheaders(body)
                reply = self.connection.getresponse()
                if reply.getheader("Content-Type") == "text/event-stream":
                    self.close()
                    return Reply(reply.status, reply.headers, b"")
                content = reply.read()
                if reply.will_close:
                    self.close()
                return Reply(reply.status, reply.headers, content)
            except (http.client.RemoteDisconnected, ConnectionError):
                # An idle connection may have been closed; a fresh one may not.
                self.close()
                if attempt == 2:
                    raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def get(self, target):
        reply = self.send("GET", target)
        assert reply.status == 200, reply
        return reply.data

    def make(self, method, target, body=None):
        reply = self.send(method, target, body)
        assert reply.status in (200, 201), (method, target, body, reply)
        return reply.data

    def raw(self, text):
        """Bytes as they are on a connection of their own; what came until the server closed it or fell silent."""
        with socket.create_connection((self.address.hostname, self.address.port), timeout=PATIENCE) as connection:
            connection.sendall(text)
            answer = b""
            while True:
                head, separator, body = answer.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: *(\d+)", head)
                if separator and length and len(body) >= int(length[1]):
                    return answer
                piece = connection.recv(65536)
                if not piece:
                    return answer
                answer += piece


class StrictLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """A key that is there twice is an error, not the last one."""


def _mapping(loader, node, deep=False):
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    doubled = {str(key) for key in keys if keys.count(key) > 1}
    assert not doubled, f"twice in the document: {doubled}, {node.start_mark}"
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


class Operation:
    """One operation of the document, with its references followed."""

    def __init__(self, document, method, path, item, fields):
        self.document, self.method, self.path = document, method.upper(), path
        self.number = fields["x-operation"]
        self.fields = fields
        self.security = fields.get("security", document.root.get("security"))
        self.is_public = self.security == [] or {} in self.security
        self.by_session_only = self.security == [{"session": []}]
        self.parameters = [document.follow(p) for p in item.get("parameters", []) + fields.get("parameters", [])]
        body = document.follow(fields.get("requestBody"))
        self.body_is_required = bool(body) and body.get("required", False)
        content = (body or {}).get("content", {}).get("application/json", {})
        self.body_schema = content.get("schema")
        self.example = content.get("example")
        self.responses = {status: document.follow(r) for status, r in fields["responses"].items()}

    def parameters_in(self, place):
        return [p for p in self.parameters if p["in"] == place]

    def target(self, **values):
        """The path with these values of its parameters, 1 for the others."""
        return re.sub(r"\{(\w+)\}", lambda m: str(values.get(m[1], 1)), self.path)

    def __repr__(self):
        return f"{self.number} {self.method} {self.path}"


class Document:
    def __init__(self, text):
        self.text = text
        self.root = yaml.load(text, StrictLoader)

    def follow(self, value):
        while isinstance(value, dict) and "$ref" in value:
            place = self.root
            for step in value["$ref"].removeprefix("#/").split("/"):
                place = place[step]
            value = {**place, **{k: v for k, v in value.items() if k != "$ref"}}
        return value

    @property
    def operations(self):
        return [
            Operation(self, method, path, item, item[method])
            for path, item in self.root["paths"].items() for method in METHODS if method in item]


# Written by the services' own threads at any time, or about a request and not about a thing.
ASIDE = {"activity", "enrichment", "job", "job_result", "login_failure", "mark", "notice", "notified", "outbox",
         "request", "session", "setting", "token"}


def reveal(house):
    """Everything that people have, table by table, as the database has it."""
    with sqlite3.connect(f"file:{house.state}/opentask.db?mode=ro", uri=True) as database:
        tables = [row[0] for row in database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
        return {
            table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"')))
            for table in tables if table not in ASIDE}
