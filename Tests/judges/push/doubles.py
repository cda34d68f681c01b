"""Push services that a test runs itself: Web Push (RFC 8030) and APNs, over TLS and HTTP/2, with an authority of their own.

They record every request, check what the real services check (keys, tokens, headers), and answer as told. Nothing
in them comes from the product: HTTP/2 is h2's, decryption http_ece's, tokens are checked by PyJWT.

    with doubles(folder) as house:
        browser = house.web.subscribe()
        ...
        push = house.web.wait(lambda pushes: len(pushes) == 1)[0]
        assert push.message["title"] == "Water the plants"
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from apns_double import ApnsDouble
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from http2_double import Authority
from web_push_double import WebPushDouble


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
