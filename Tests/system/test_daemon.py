"""How every service starts and stops (docs/house-style.md, "A daemon's main")."""

import os
import signal
import socket

import pytest

from house import PATIENCE, SERVICES, SOCKETS, Lone, varlink

pytestmark = pytest.mark.parametrize("service", SERVICES)


def test_it_takes_its_sockets_and_says_ready(service, folder):
    with Lone(service, folder) as lone:
        lone.ready()
        info = varlink(lone.path("varlink"), "org.varlink.service.GetInfo")
        assert info["parameters"]["product"] == service


def test_sigterm_ends_it_with_status_0_after_it_said_stopping(service, folder):
    with Lone(service, folder) as lone:
        lone.ready()
        lone.process.send_signal(signal.SIGTERM)
        assert "STOPPING=1" in lone.notice()
        assert lone.process.wait(PATIENCE) == 0, lone.log()


def test_the_handed_over_socket_outlives_it(service, folder):
    with Lone(service, folder) as lone:
        lone.ready()
        lone.process.send_signal(signal.SIGTERM)
        lone.process.wait(PATIENCE)
        # Neither unlinked nor shut down: a caller waits in the queue for whoever comes next.
        with socket.socket(socket.AF_UNIX) as caller:
            caller.connect(str(lone.path("varlink")))


def test_without_its_socket_it_says_which_and_ends_with_status_78(service, folder):
    with Lone(service, folder, sockets=()) as lone:
        assert lone.process.wait(PATIENCE) == 78
        assert f'no listening socket named "{SOCKETS[service][0]}"' in lone.log().replace('\\"', '"')


def test_the_watchdog_hears_of_it_as_long_as_it_lives(service, folder):
    with Lone(service, folder, WATCHDOG_USEC="200000") as lone:
        lone.ready()
        for _ in range(3):
            assert lone.notice() == ["WATCHDOG=1"]


def test_a_peer_that_goes_away_does_not_end_it(service, folder):
    with Lone(service, folder) as lone:
        lone.ready()
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as caller:
                caller.connect(str(lone.path("varlink")))
                caller.sendall(b'{"method":"org.varlink.service.GetInfo"}\0' * 50)
        assert "parameters" in varlink(lone.path("varlink"), "org.varlink.service.GetInfo")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to call as somebody else")
def test_a_stranger_is_refused(service, folder):
    with Lone(service, folder) as lone:
        lone.ready()
        os.chmod(lone.folder, 0o755)
        os.chmod(lone.path("varlink"), 0o777)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
                reply = varlink(lone.path("varlink"), "org.opentask.test.Anything")
                os.write(writer, reply["error"].encode())
            finally:
                os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        assert os.read(reader, 100).decode() == "org.varlink.service.PermissionDenied"
        os.close(reader)
