"""What whole processes do when their database cannot be used."""

import contextlib
import sqlite3
import subprocess

import pytest

from house import BINARIES, PATIENCE, House, Lone

DATABASES = {"opentask-api": "opentask.db", "opentask-push": "push.db"}


def make(service, folder):
    """The service's database, as it makes it."""
    with Lone(service, folder) as lone:
        lone.ready()
        lone.process.terminate()
        assert lone.process.wait(PATIENCE) == 0
    for name in ("http.sock", "varlink.sock", "notify"):
        (folder / name).unlink(missing_ok=True)
    return folder / DATABASES[service]


@pytest.mark.parametrize("service", DATABASES)
def test_a_newer_releases_file_ends_it_with_status_78_and_stays_as_it_is(service, folder):
    path = make(service, folder)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 1000")
    before = path.read_bytes()
    with Lone(service, folder) as lone:
        assert lone.process.wait(PATIENCE) == 78
        assert "the database has schema version 1000" in lone.log()
    assert path.read_bytes() == before


@pytest.mark.parametrize("service", DATABASES)
def test_a_file_that_is_no_database_ends_it_with_status_78(service, folder):
    path = make(service, folder)
    path.write_bytes(b"\x55" * 65536)
    # As after a file was put in its place by hand: what was not yet moved over from the log would mend it.
    for log in folder.glob("*.db-*"):
        log.unlink()
    with Lone(service, folder) as lone:
        assert lone.process.wait(PATIENCE) == 78
        assert "restore a backup" in lone.log()
    assert path.read_bytes() == b"\x55" * 65536


def test_up_says_so_and_does_not_try_again(folder):
    with House(folder) as house:
        assert house.stop() == 0
    with contextlib.closing(sqlite3.connect(house.state / "opentask.db")) as database:
        database.execute("PRAGMA user_version = 1000")
    done = subprocess.run(
        [BINARIES / "opentask", "up", "--listen", "127.0.0.1:0", "--state", house.state],
        env=house.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 78
    assert (done.stdout + done.stderr).count("the database has schema version 1000") == 1
