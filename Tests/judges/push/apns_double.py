"""Apple's push service, as far as it answers: tokens are checked by PyJWT."""

import json
import secrets
import time
from dataclasses import dataclass

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from http2_double import Answer, Http2Double, Request


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
