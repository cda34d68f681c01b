"""A service over TLS and HTTP/2 that a test runs itself: h2 speaks, an authority of its own vouches for it."""

import asyncio
import datetime
import ipaddress
import ssl
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import h2.config
import h2.connection
import h2.errors
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


PATIENCE = 30.0  # s until a test gives up on something that should have come


class Authority:
    """A certificate authority and one certificate for localhost and 127.0.0.1."""

    def __init__(self, folder: Path):
        self.ca_path = folder / "ca.pem"
        self._chain_path = folder / "server.pem"
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
        ca = (
            self._builder(name, name, key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(key, hashes.SHA256())
        )
        server_key = ec.generate_private_key(ec.SECP256R1())
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        server = (
            self._builder(subject, name, server_key)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(key, hashes.SHA256())
        )
        pem = serialization.Encoding.PEM
        self.ca_path.write_bytes(ca.public_bytes(pem))
        self._chain_path.write_bytes(
            server_key.private_bytes(
                pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + server.public_bytes(pem)
        )

    @staticmethod
    def _builder(subject, issuer, key):
        now = datetime.datetime.now(datetime.timezone.utc)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=2))
        )

    def server_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._chain_path)
        context.set_alpn_protocols(["h2"])
        return context


@dataclass
class Answer:
    """What a double answers. `hold` is waited for first; `reset` and `drop` answer nothing at all."""

    status: int = 201
    headers: dict = field(default_factory=dict)
    body: bytes = b""
    hold: threading.Event | None = None
    reset: bool = False
    drop: bool = False


@dataclass
class Request:
    method: str
    path: str
    headers: dict
    body: bytes
    connection: int
    arrived: float  # time.monotonic()
    answer: Answer | None = None


class Http2Double:
    """An HTTP/2 server on a free port of 127.0.0.1, on a thread of its own."""

    default = Answer()

    def __init__(self, authority: Authority, port: int = 0):
        self.requests: list[Request] = []
        self.connections = 0
        self._changed = threading.Condition()
        self._script: list[Answer] = []
        self._loop = asyncio.new_event_loop()
        self._protocols: set = set()
        self._context = authority.server_context()
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(port, started), daemon=True)
        self._thread.start()
        assert started.wait(PATIENCE)

    def _run(self, port, started):
        asyncio.set_event_loop(self._loop)
        self._server = self._loop.run_until_complete(
            self._loop.create_server(lambda: _Protocol(self), "127.0.0.1", port, ssl=self._context)
        )
        self.port = self._server.sockets[0].getsockname()[1]
        started.set()
        self._loop.run_forever()

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def close(self):
        def stop():
            self._server.close()
            for protocol in list(self._protocols):
                protocol.transport.abort()
            self._loop.call_soon(self._loop.stop)

        self._loop.call_soon_threadsafe(stop)
        self._thread.join(PATIENCE)

    def script(self, *answers: Answer):
        """The next requests get these answers, in this order; then the default again."""
        with self._changed:
            self._script += answers

    def judge(self, request: Request) -> Answer | None:
        """What the real service would refuse; None: nothing."""
        return None

    def wait(self, condition, patience: float = PATIENCE):
        """Waits until `condition(self.seen())` holds; returns what was seen."""
        end = time.monotonic() + patience
        with self._changed:
            while not condition(seen := self.seen()):
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    raise AssertionError(f"not seen in time; there were {len(seen)}: {seen}")
            return seen

    def seen(self) -> list:
        return list(self.requests)

    def clear(self):
        with self._changed:
            self.requests.clear()

    def _arrived(self, request: Request) -> Answer:
        refusal = self.judge(request)
        with self._changed:
            if refusal is not None:
                request.answer = refusal
            else:
                request.answer = self._script.pop(0) if self._script else self.default
            self.requests.append(request)
            self._changed.notify_all()
        return request.answer


class _Protocol(asyncio.Protocol):
    def __init__(self, double: Http2Double):
        self.double = double
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        )
        self.streams: dict = {}

    def connection_made(self, transport):
        self.transport = transport
        self.double._protocols.add(self)
        self.double.connections += 1
        self.number = self.double.connections
        self.h2.initiate_connection()
        self.flush()

    def connection_lost(self, error):
        self.double._protocols.discard(self)

    def flush(self):
        if not self.transport.is_closing():
            self.transport.write(self.h2.data_to_send())

    def data_received(self, data):
        for event in self.h2.receive_data(data):
            match event:
                case h2.events.RequestReceived(stream_id=stream, headers=headers):
                    self.streams[stream] = (dict(headers), bytearray())
                case h2.events.DataReceived(stream_id=stream, data=data):
                    self.streams[stream][1].extend(data)
                    self.h2.acknowledge_received_data(event.flow_controlled_length, stream)
                case h2.events.StreamEnded(stream_id=stream):
                    headers, body = self.streams.pop(stream)
                    asyncio.ensure_future(self.answer(stream, headers, bytes(body)))
        self.flush()

    async def answer(self, stream, headers, body):
        request = Request(
            headers[":method"], headers[":path"], headers, body, self.number, time.monotonic()
        )
        answer = self.double._arrived(request)
        if answer.hold is not None:
            await asyncio.get_running_loop().run_in_executor(None, answer.hold.wait)
        if self.transport.is_closing():
            return
        if answer.drop:
            self.transport.abort()
            return
        try:
            if answer.reset:
                self.h2.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
            else:
                sent = [(":status", str(answer.status)), *answer.headers.items()]
                self.h2.send_headers(stream, sent, end_stream=not answer.body)
                if answer.body:
                    self.h2.send_data(stream, answer.body, end_stream=True)
        except h2.exceptions.ProtocolError:
            return  # the other side has given up on this stream meanwhile
        self.flush()
