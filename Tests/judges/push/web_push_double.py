"""A push service for browsers (RFC 8030): it checks VAPID with PyJWT and decrypts with http_ece."""

import json
import os
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

import http_ece
import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from http2_double import Answer, Http2Double, Request


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


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
