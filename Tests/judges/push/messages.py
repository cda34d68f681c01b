"""What several tests say to opentask-push."""

BUNDLE = "org.example.opentask"


def apns(token, bundle=BUNDLE, environment="production", channel="apns", **more):
    return {
        "channel": channel,
        "device_token": token,
        "bundle_id": bundle,
        "environment": environment,
        **more,
    }


def titles(pushes):
    return [push.message.get("title") for push in pushes]
