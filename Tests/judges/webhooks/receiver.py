"""A webhook's receiver by the standard library: keeps what came, with its time, and answers as it was told to."""

import dataclasses
import hashlib
import hmac
import http.server
import json
import threading
import time

PATIENCE = 60


@dataclasses.dataclass
class Call:
    path: str
    headers: dict
    body: bytes
    came: float
    left: float | None = None

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def event(self):
        return self.headers["X-OpenTask-Event"]

    @property
    def delivery(self):
        return self.headers["X-OpenTask-Delivery"]

    def is_signed_by(self, secret):
        """The check of api.md section 5, by Python's own hmac."""
        code = hmac.new(secret.encode(), self.body, hashlib.sha256).hexdigest()
        return self.headers["X-OpenTask-Signature"] == "sha256=" + code


class Receiver:
    """`answers`: what the next calls are answered with, then 200; each a status, (status, headers), or a function that
    is given the call and may block."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.calls = []
        self.news = threading.Condition()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                receiver._take(self)

            do_GET = do_PUT = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def _take(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        call = Call(handler.path, dict(handler.headers), body, time.monotonic())
        call.method = handler.command
        with self.news:
            self.calls.append(call)
            answer = self.answers.pop(0) if self.answers else 200
            self.news.notify_all()
        if callable(answer):
            answer = answer(call) or 200
        status, headers = answer if isinstance(answer, tuple) else (answer, {})
        call.left = time.monotonic()
        try:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", "2")
            handler.end_headers()
            handler.wfile.write(b"ok")
        except OSError:
            pass  # whoever asked is gone

    def wait(self, count):
        """The first `count` calls."""
        with self.news:
            assert self.news.wait_for(lambda: len(self.calls) >= count, PATIENCE), self.calls
            return self.calls[:count]

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Gate:
    """An answer that comes when the gate is opened."""

    def __init__(self, answer=200):
        self.answer = answer
        self.opened = threading.Event()

    def __call__(self, _):
        self.opened.wait(PATIENCE)
        return self.answer

    def open(self):
        self.opened.set()
