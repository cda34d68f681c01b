"""Our server under two clients that this project did not write, and our client against their server."""

import json
import shutil
import subprocess
import sys

import pytest
import varlink
from call import call, plain
from strangers import BIN, CERTIFICATION, need_go

PEER = "org.example.peer"


def test_both_clients_read_what_the_service_says_of_itself(client, peer):
    (service,) = client(peer)
    assert service["vendor"] == "Example"
    assert service["product"] == "Peer"
    assert service["version"] == "1"
    assert service["url"] == "https://example.org"
    assert service["interfaces"][:2] == ["org.varlink.service", PEER]
    assert service["methods"]["org.varlink.service"] == ["GetInfo", "GetInterfaceDescription"]
    assert service["methods"][PEER] == ["Echo", "Count", "CountOn", "Note", "Notes", "Fail", "Missing"]


@pytest.mark.parametrize(
    "thing",
    [
        {"name": "a", "sizes": [], "weights": {}},
        {"name": "é\n\"\\\u0001 \U0001f600", "sizes": [0, -1, 2**53, -(2**63), 2**63 - 1], "weights": {}},
        {
            "name": "", "colour": "green", "sizes": [1], "weights": {"x": 1.5, "y z": -0.1, "": 1e300},
            "details": {"deep": [{"x": None, "y": [True, False]}]},
        },
        {"name": "x" * 1_000_000, "sizes": list(range(10_000)), "weights": {}},
    ],
)
def test_values_come_back_as_they_went(client, peer, thing):
    text = json.dumps({"thing": thing})
    if len(text) > 100_000:  # more than a command line takes
        assert [plain(reply) for reply in call(str(peer), f"{PEER}.Echo", {"thing": dict(thing)})] == [{"thing": thing}]
        return
    (reply,) = client(peer, f"{PEER}.Echo", text)
    assert {key: value for key, value in reply["thing"].items() if value is not None} == thing


def test_a_stream_ends_with_an_empty_reply(client, peer):
    replies = client(peer, f"{PEER}.Count", '{"to": 5}', "--more")
    assert replies == [{"number": number} for number in range(1, 6)] + [{}]


def test_a_stream_may_be_left(client, peer):
    process = client.start(peer, f"{PEER}.CountOn", "{}", "--more")
    assert [json.loads(process.stdout.readline()) for _ in range(3)] == [{"number": 1}, {"number": 2}, {"number": 3}]
    process.kill()
    process.wait()
    # The service goes on, and ends in good order when the fixture stops it: it does not wait for who has left.
    assert client(peer, f"{PEER}.Notes") == [{"texts": []}]


def test_a_oneway_call_is_done(client, peer):
    assert client(peer, f"{PEER}.Note", '{"text": "remember"}', "--oneway") == []
    # The next connection may be served before this one: ask until it is there.
    for _ in range(1_000):
        (notes,) = client(peer, f"{PEER}.Notes")
        if notes["texts"]:
            break
    assert notes["texts"] == ["remember"]


@pytest.mark.parametrize(
    "method, parameters, flags, error, details",
    [
        ("Fail", '{"how": "refused"}', [], f"{PEER}.Refused", {"reason": "asked to", "code": 7}),
        ("Fail", '{"how": "denied"}', [], "org.varlink.service.PermissionDenied", {}),
        ("Fail", '{"how": "internal"}', [], "org.opentask.InternalError", {}),
        ("Count", '{"to": 1}', [], "org.varlink.service.ExpectedMore", {}),
        ("Missing", "{}", [], "org.varlink.service.MethodNotImplemented", {"method": f"{PEER}.Missing"}),
    ],
)
def test_errors_arrive_with_their_parameters(client, peer, method, parameters, flags, error, details):
    assert client(peer, f"{PEER}.{method}", parameters, *flags, refused=True) == [{"error": error, "parameters": details}]


@pytest.mark.parametrize(
    "method, parameters, error, details",
    [
        (f"{PEER}.Nothing", "{}", "MethodNotFound", {"method": f"{PEER}.Nothing"}),
        ("org.example.none.Nothing", "{}", "InterfaceNotFound", {"interface": "org.example.none"}),
        (f"{PEER}.Count", '{"to": "five"}', "InvalidParameter", {"parameter": "to"}),
        (f"{PEER}.Count", '{"to": 1.5}', "InvalidParameter", {"parameter": "to"}),
        (f"{PEER}.Echo", '{"thing": {"name": "a", "weights": {}}}', "InvalidParameter", {"parameter": "thing.sizes"}),
    ],
)
def test_what_the_python_client_would_not_send_is_refused(go_client, peer, method, parameters, error, details):
    assert go_client(peer, method, parameters, "--more", refused=True) == [
        {"error": f"org.varlink.service.{error}", "parameters": details}
    ]


def test_python_s_parser_reads_our_texts_as_we_do(peer):
    text = varlink.Client.new_with_address(f"unix:{peer}").get_interface(PEER).get_description()
    interface = varlink.Interface(text)
    assert [name for name in interface.members] == [
        "Colour", "Thing", "Echo", "Count", "CountOn", "Note", "Notes", "Fail", "Missing", "Refused",
    ]


def test_go_s_certification_client_is_content_with_our_server(peer):
    need_go()
    if not shutil.which("varlink-go-certification"):
        pytest.skip("needs Debian's varlink-go")
    done = subprocess.run(
        ["varlink-go-certification", "--varlink", f"unix:{peer}", "--client"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done
    assert done.stdout.splitlines()[-1] == "End: 'true'"


def test_python_s_certification_client_is_content_with_our_server(peer):
    if not CERTIFICATION.exists():
        pytest.skip("needs Debian's golang-github-varlink-go-dev for the interface's text")
    done = subprocess.run(
        [sys.executable, "-m", "varlink.tests.test_certification", "--varlink", f"unix:{peer}", "--client"],
        capture_output=True, text=True, timeout=120,
    )
    assert done.returncode == 0, done
    assert done.stdout.splitlines()[-2:] == ["End: {'all_ok': True}", "Certification passed"]


@pytest.mark.parametrize("language", ["go", "python"])
def test_our_client_is_certified_by_their_servers(tmp_path, language):
    path = tmp_path / "theirs"
    if language == "go":
        if not shutil.which("varlink-go-certification"):
            pytest.skip("needs Debian's varlink-go")
        command = ["varlink-go-certification", "--varlink", f"unix:{path}"]
    else:
        command = [sys.executable, "-m", "varlink.tests.test_certification", "--varlink", f"unix:{path}"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        # Neither server says when it is ready: asked until somebody listens.
        for _ in range(2_000):
            done = subprocess.run([BIN / "varlink-peer", "--certify", path], capture_output=True, text=True, timeout=120)
            if done.returncode != 69:
                break
        assert (done.returncode, done.stdout) == (0, "certified\n"), done
    finally:
        server.terminate()
        server.wait()
