"""Push services that a test runs itself: Web Push (RFC 8030) and APNs, over TLS and HTTP/2, with an authority of their own.

They record every request, check what the real services check (keys, tokens, headers), and answer as told. Nothing
in them comes from the product: HTTP/2 is h2's, decryption http_ece's, tokens are checked by PyJWT.

    with doubles(folder) as house:
        browser = house.web.subscribe()
        ...
        push = house.web.wait(lambda pushes: len(pushes) == 1)[0]
        assert push.message["title"] == "Water the plants"
"""

import asyncio
import contextlib
import datetime
import ipaddress
import json
import os
import secrets
import ssl
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from pathlib import Path

import h2.config
import h2.connection
import h2.errors
import h2.events
import http_ece
import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

PATIENCE = 30.0  # s until a test gives up on something that should have come


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


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


@dataclass
class Subscription:
    """What a browser hands to a web page, and the keys that it keeps."""

    endpoint: str
    path: str
    key: ec.EllipticCurvePrivateKey
    auth: bytes

    @property
    def json(self) -> dict:
        """As `PushSubscription.toJSON()` gives it."""
        return {
            "endpoint": self.endpoint,
            "expirationTime": None,
            "keys": {"p256dh": b64(point(self.key)), "auth": b64(self.auth)},
        }

    @property
    def registration(self) -> dict:
        """As org.opentask.push takes it."""
        return {
            "channel": "webpush",
            "endpoint": self.endpoint,
            "p256dh": b64(point(self.key)),
            "auth": b64(self.auth),
        }


@dataclass
class Push:
    """A Web Push request, decrypted and checked."""

    subscription: Subscription
    message: dict
    headers: dict
    claims: dict
    request: Request

    @property
    def status(self) -> int:
        return self.request.answer.status


class WebPushDouble(Http2Double):
    """A browser vendor's push service and the browsers behind it."""

    def __init__(self, authority, port=0):
        self.subscriptions: dict[str, Subscription] = {}
        super().__init__(authority, port)

    def subscribe(self) -> Subscription:
        path = f"/push/{secrets.token_urlsafe(24)}"
        subscription = Subscription(
            self.url + path, path, ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        )
        self.subscriptions[path] = subscription
        return subscription

    def judge(self, request):
        if request.path not in self.subscriptions:
            return Answer(404)
        try:
            self.open(request)
        except Exception as error:  # whatever a judge finds wrong is the answer, and what the test sees
            return Answer(400, body=f"{type(error).__name__}: {error}".encode())
        return None

    def seen(self):
        return [self.open(r) for r in list(self.requests) if r.path in self.subscriptions]

    def open(self, request: Request) -> Push:
        subscription = self.subscriptions[request.path]
        headers = request.headers
        assert request.method == "POST"
        assert headers["content-encoding"] == "aes128gcm"
        assert 0 <= int(headers["ttl"]) <= 2419200
        assert headers["urgency"] in {"very-low", "low", "normal", "high"}
        if "topic" in headers:  # RFC 8030 section 5.4
            assert 1 <= len(headers["topic"]) <= 32 and unb64(headers["topic"])
        assert len(request.body) <= 4096
        claims = self.check_vapid(headers["authorization"])
        text = http_ece.decrypt(
            request.body,
            private_key=subscription.key,
            auth_secret=subscription.auth,
            version="aes128gcm",
        )
        return Push(subscription, json.loads(text), headers, claims, request)

    def check_vapid(self, authorization: str) -> dict:
        """RFC 8292 sections 2 and 3."""
        scheme, parameters = authorization.split(" ", 1)
        assert scheme == "vapid"
        values = dict(part.strip().split("=", 1) for part in parameters.split(","))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(values["k"]))
        claims = jwt.decode(values["t"], key, algorithms=["ES256"], audience=self.url)
        assert claims["exp"] <= time.time() + 24 * 3600
        assert claims["sub"].startswith(("mailto:", "https://"))
        claims["k"] = values["k"]
        return claims


@dataclass
class Notification:
    """A request to APNs, checked."""

    token: str
    payload: dict
    headers: dict
    claims: dict
    request: Request

    @property
    def status(self) -> int:
        return self.request.answer.status


class ApnsDouble(Http2Double):
    """One of Apple's two hosts. It knows the tokens in `tokens`; to others it says BadDeviceToken."""

    default = Answer(200)

    def __init__(self, authority, key_id: str, team_id: str, key: ec.EllipticCurvePrivateKey, port=0):
        self.key_id, self.team_id, self.key = key_id, team_id, key
        self.tokens: set[str] = set()
        super().__init__(authority, port)

    def device(self) -> str:
        token = secrets.token_hex(32)
        self.tokens.add(token)
        return token

    def judge(self, request):
        try:
            notification = self.open(request)
        except jwt.ExpiredSignatureError:
            return self.refusal(403, "ExpiredProviderToken")
        except jwt.InvalidTokenError as error:
            return self.refusal(403, f"InvalidProviderToken: {error}")
        except (AssertionError, KeyError, ValueError) as error:
            return self.refusal(400, f"{type(error).__name__}: {error}")
        if notification.token not in self.tokens:
            return self.refusal(400, "BadDeviceToken")
        return None

    @staticmethod
    def refusal(status: int, reason: str, **more) -> Answer:
        return Answer(status, body=json.dumps({"reason": reason, **more}).encode())

    def seen(self):
        return [self.open(r) for r in list(self.requests)]

    def open(self, request: Request) -> Notification:
        headers = request.headers
        assert request.method == "POST"
        assert request.path.startswith("/3/device/")
        assert headers["apns-push-type"] in {"alert", "background"}
        assert headers["apns-priority"] == ("10" if headers["apns-push-type"] == "alert" else "5")
        assert headers["apns-topic"]
        assert int(headers["apns-expiration"]) > time.time() - 60
        assert len(headers.get("apns-collapse-id", "").encode()) <= 64
        assert len(request.body) <= 4096
        scheme, token = headers["authorization"].split(" ", 1)
        assert scheme.lower() == "bearer"
        header = jwt.get_unverified_header(token)
        assert header["alg"] == "ES256" and header["kid"] == self.key_id
        claims = jwt.decode(token, self.key.public_key(), algorithms=["ES256"], issuer=self.team_id)
        if not -60 <= time.time() - claims["iat"] <= 3600:
            raise jwt.ExpiredSignatureError
        payload = json.loads(request.body)
        assert isinstance(payload["aps"], dict)
        return Notification(request.path.rsplit("/", 1)[1], payload, headers, claims, request)


@dataclass
class House:
    """Both services, and the environment that leads opentask-push to them."""

    authority: Authority
    web: WebPushDouble
    apns: ApnsDouble
    sandbox: ApnsDouble
    environment: dict


@contextlib.contextmanager
def doubles(folder: Path):
    """Starts everything in `folder`, ends it again."""
    authority = Authority(folder)
    key = ec.generate_private_key(ec.SECP256R1())
    key_path = folder / "AuthKey_ABCDE12345.p8"
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    web = WebPushDouble(authority)
    apns = ApnsDouble(authority, "ABCDE12345", "TEAM123456", key)
    sandbox = ApnsDouble(authority, "ABCDE12345", "TEAM123456", key)
    environment = {
        "OPENTASK_CA_FILE": str(authority.ca_path),
        "OPENTASK_PUSH_PRIVATE": "true",
        "OPENTASK_APNS_HOST": apns.url,
        "OPENTASK_APNS_SANDBOX_HOST": sandbox.url,
        "APNS_KEY_ID": "ABCDE12345",
        "APNS_TEAM_ID": "TEAM123456",
        "APNS_KEY_PATH": str(key_path),
        "APNS_BUNDLE_ID": "org.example.opentask",
        "VAPID_EMAIL": "mailto:house@example.org",
    }
    try:
        yield House(authority, web, apns, sandbox, environment)
    finally:
        for double in (web, apns, sandbox):
            double.close()
