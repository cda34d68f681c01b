"""`opentask up`: the four services without a service manager."""

import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import urllib.request

import pytest

from house import BINARIES, PATIENCE, SERVICES, House, varlink
from writers import Writers


def test_it_prints_the_address_and_the_first_login_once(folder):
    with House(folder) as house:
        assert house.password
        with urllib.request.urlopen(f"{house.url}/api/health", timeout=PATIENCE) as reply:
            assert json.load(reply) == {"status": "ok"}
        assert house.stop() == 0
    with House(folder) as again:
        assert again.password is None
        assert not [line for line in again.printed if "login" in line]


def test_given_first_user_is_made_and_its_password_is_not_printed(folder):
    given = {"OPENTASK_INIT_USERNAME": "ann", "OPENTASK_INIT_PASSWORD": "correct horse"}
    with House(folder, **given) as house:
        assert "correct horse" not in "\n".join(house.printed)
        assert house.token("ann")


def test_a_second_instance_on_the_same_state_is_refused(house):
    second = house.command("up", "--listen", "127.0.0.1:0", "--state", str(house.state))
    assert second.returncode == 1
    assert f"another instance (process {house.process.pid}) already uses" in second.stderr
    assert varlink(house.run / "api.sock", "org.varlink.service.GetInfo")["parameters"]  # and the first is unharmed


def test_a_second_instance_with_its_own_state_runs_beside_it(house, folder):
    (folder / "2").mkdir()
    with House(folder / "2") as second:
        assert second.url != house.url


def test_an_address_that_is_taken_is_named(folder):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [BINARIES / "opentask", "up", "--listen", f"127.0.0.1:{port}", "--state", folder / "state"],
            capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1
    assert str(port) in done.stderr and "--listen" in done.stderr


def test_a_state_folder_with_too_long_a_path_is_refused_before_anything_starts(folder):
    deep = folder / ("x" * 100)
    done = subprocess.run(
        [BINARIES / "opentask", "up", "--listen", "127.0.0.1:0", "--state", deep],
        capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 78
    assert "107" in done.stderr


@pytest.mark.parametrize("service", SERVICES)
def test_what_dies_comes_back_and_nobody_is_refused_meanwhile(house, service):
    before = house.child(service)
    os.kill(before, signal.SIGKILL)
    name = service.removeprefix("opentask-")
    # The socket is open all the time: the call waits until the service is there again.
    info = varlink(house.run / f"{name}.sock", "org.varlink.service.GetInfo")
    assert info["parameters"]["product"] == service
    assert house.child(service) not in (None, before)


def test_nothing_is_left_when_it_ends(house):
    children = [house.child(service) for service in SERVICES]
    assert None not in children
    assert house.stop() == 0
    assert not [number for number in children if pathlib.Path(f"/proc/{number}").exists()]
    left = {path.name for path in house.run.rglob("*") if path.is_socket()}
    assert left == set()


def test_its_children_end_even_when_it_is_killed(house):
    children = [house.child(service) for service in SERVICES]
    # Watched from outside: pidfds become readable when their process ends.
    watched = [os.pidfd_open(number) for number in children]
    house.process.kill()
    house.end()
    for descriptor in watched:
        assert select.select([descriptor], [], [], PATIENCE)[0]
        os.close(descriptor)


def test_what_the_services_say_is_one_log_with_their_names(house):
    heads = {line.split(" ")[1] for line in house.log_text().splitlines()}
    assert {"opentask", *SERVICES} == heads


@pytest.mark.parametrize("service", SERVICES)
def test_a_restart_under_load_fails_no_request(house, service):
    token = house.token()
    with Writers(house.url, token, count=8) as writers:
        for _ in range(3):
            seen = writers.count
            number = house.child(service)
            while number is None:
                number = house.child(service)
            ended = os.pidfd_open(number)
            os.kill(number, signal.SIGTERM)
            assert select.select([ended], [], [], PATIENCE)[0]
            os.close(ended)
            name = service.removeprefix("opentask-")
            varlink(house.run / f"{name}.sock", "org.varlink.service.GetInfo")
            while writers.count < seen + 40 and not writers.failures:
                pass
    assert writers.failures == []
    assert house.task_ids() >= set(sum(writers.written, []))
