"""Which addresses opentask-push calls at all."""

from messages import apns
from service import push_service


def test_endpoints_in_the_house_are_refused_unless_allowed(tmp_path, house):
    environment = {k: v for k, v in house.environment.items() if k != "OPENTASK_PUSH_PRIVATE"}
    folder = tmp_path / "strict"
    folder.mkdir()
    with push_service(folder, environment) as push:
        registration = house.web.subscribe().registration
        push.register(registration)
        push.register({**registration, "endpoint": "https://10.0.0.1/x"})
        push.register({**registration, "endpoint": "http://push.example.org/x"})
        push.deliver(push.alert(1))
        push.wait_idle()
        assert push.call("Status")["subscriptions"] == 0
        assert [e["outcome"] for e in push.log_of()] == ["dropped", *["refused"] * 3]
        assert house.web.seen() == []


def test_the_address_that_is_dialled_is_judged_as_well(tmp_path, house):
    """What a public name leads to is only known when it is dialled: APNs' host stands in for such a name here."""
    environment = {k: v for k, v in house.environment.items() if k != "OPENTASK_PUSH_PRIVATE"}
    folder = tmp_path / "strict"
    folder.mkdir()
    with push_service(folder, environment) as push:
        push.register(apns(house.apns.device()))
        push.deliver(push.alert(1))
        push.wait_idle()
        failed = next(e for e in push.log_of() if e["outcome"] == "failed")
        assert "private network" in failed["reason"]
        assert house.apns.connections == 0
