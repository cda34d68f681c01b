"""The interface of opentask-push, called by the standard Varlink client."""

import pytest
import varlink
from service import CallError
from web_push_double import unb64


def test_a_stock_varlink_client_reads_the_interface_and_calls_every_method(push):
    with varlink.Client(f"unix:{push.path}") as client:
        info = client.get_interface("org.opentask.push")
        methods = {name for name, kind in info.members.items() if type(kind).__name__ == "_Method"}
        assert methods == {"Deliver", "TestWebPush", "GetVapidKey", "Status", "GetLog", "GetWebhookLog", "GetChannels"}
        with client.open("org.opentask.push") as service:
            key = service.GetVapidKey()
            assert key["configured"] and len(unb64(key["public_key"])) == 65
            assert service.Deliver([])["accepted"] == []
            assert service.TestWebPush(1, None)["sent"] is False
            assert service.Status()["queued"] == 0
            assert service.GetLog(1, 10, None)["entries"] == []
            assert service.GetWebhookLog(1, 1, 10)["attempts"] == []
            assert service.GetChannels(1) == {"subscriptions": 0, "devices": 0}


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"messages": 1},
        {"messages": [{"id": "x"}]},
        {"messages": [{"id": "", "user": 1, "kind": "dismiss_all", "at": 1}]},
        {"messages": [{"id": "x", "user": 1, "kind": "something", "at": 1}]},
    ],
)
def test_messages_of_a_wrong_shape_are_refused_by_name(push, parameters):
    with pytest.raises(CallError) as error:
        push.call("Deliver", **parameters)
    assert error.value.name == "org.varlink.service.InvalidParameter"
    assert push.call("Status")["queued"] == 0
