"""The installed house on a real systemd, without the Swift toolchain: `make install` into a rig (Tests/rig)."""

import json
import subprocess
import sys
import time

import pytest

from house import PATIENCE, REPOSITORY, SERVICES, task_ids, tasks_of
from systemd_rig import Rig, why_not

pytestmark = pytest.mark.skipif(why_not() is not None, reason=f"a systemd rig {why_not()}")

URL = "http://127.0.0.1:3000"
# The rig shows the checkout where it lies outside.
PYTHON = sys.executable
HELPERS = REPOSITORY / "Tests/system"
SOCKETS = {
    "opentask-api": "/run/opentask/api.sock",
    "opentask-enrich": "/run/opentask/enrich.sock",
    "opentask-push": "/run/opentask/push.sock",
    "opentask-scheduler": "/run/opentask/scheduler.sock",
}
ADD = """
import json, sys
sys.path.insert(0, sys.argv[1])
from client import Api
api = Api(*sys.argv[2:4])
print(json.dumps([api.post("/api/tasks", {"title": f"Water plant {n} !high tomorrow"}) for n in range(int(sys.argv[4]))]))
"""
CALL = "import json, sys; sys.path.insert(0, sys.argv[1]); from house import varlink; print(json.dumps(varlink(*sys.argv[2:])))"


@pytest.fixture(scope="module")
def layer(tmp_path_factory):
    """The installed house, laid out once."""
    folder = tmp_path_factory.mktemp("layer")
    subprocess.run(
        ["make", "--no-print-directory", "install", "CONFIG=debug", f"DESTDIR={folder}"],
        cwd=REPOSITORY, check=True, capture_output=True, text=True)
    example, program = REPOSITORY / "examples/enrich-python", folder / "usr/local/lib/opentask/enrich-python"
    subprocess.run(["install", "-D", "-t", program, example / "enricher.py"], check=True)
    subprocess.run(["install", "-m", "644", "-t", program, example / "org.opentask.enricher.varlink"], check=True)
    for unit in example.glob("*.s*"):
        subprocess.run(["install", "-D", "-m", "644", "-t", folder / "etc/systemd/system", unit], check=True)
    return folder


class InstalledHouse(Rig):
    def __enter__(self):
        super().__enter__()
        # What docs/install.md says; booting has run systemd-sysusers and systemd-tmpfiles already.
        return self

    def opentask(self, *words, **options):
        return self.run("opentask", *words, **options).stdout.strip()

    def call(self, service, method):
        """A Varlink call from inside."""
        done = self.run(PYTHON, "-c", CALL, HELPERS, SOCKETS[service], method)
        return json.loads(done.stdout)["parameters"]

    def state(self, unit):
        return self.run("systemctl", "is-active", unit, check=False).stdout.strip()

    def property(self, unit, name):
        return self.run("systemctl", "show", "--value", "-p", name, unit).stdout.strip()

    def journal(self, unit):
        lines = self.run("journalctl", "-o", "json", "--no-pager", "-u", unit).stdout.splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def bare(layer):
    """A rig in which nothing of the house was started yet."""
    with InstalledHouse(layer) as rig:
        yield rig


@pytest.fixture(scope="module")
def rig(layer):
    """A rig with the house running, a user and a token."""
    with InstalledHouse(layer) as rig:
        rig.run("systemctl", "enable", "--now", "opentask.target")
        rig.opentask("user", "add", "ann", "--timezone", "Europe/Berlin")
        rig.token = rig.opentask("token", "create", "ann", "test")
        yield rig


@pytest.mark.parametrize("service", SERVICES)
def test_the_first_call_starts_each_service(bare, service):
    sockets = [f"{service}.socket" for service in SERVICES] + ["opentask-http.socket", "opentask-enricher-builtin.socket"]
    bare.run("systemctl", "start", *sockets)
    # All of them, because one that runs may call another.
    bare.run("systemctl", "stop", *(f"{service}.service" for service in SERVICES))
    assert bare.state(f"{service}.service") == "inactive"
    assert bare.call(service, "org.varlink.service.GetInfo")["product"] == service
    assert bare.state(f"{service}.service") == "active"


def test_the_first_http_request_starts_the_api(layer):
    with InstalledHouse(layer) as rig:
        rig.run("systemctl", "start", "opentask-http.socket")
        assert rig.state("opentask-api.service") == "inactive"
        assert rig.run("curl", "-sf", f"{URL}/api/health").stdout == '{"status":"ok"}'
        assert rig.state("opentask-api.service") == "active"


def test_it_runs_without_the_toolchain_on_its_private_runtime(rig):
    assert rig.run("bash", "-c", "command -v swift", check=False).returncode != 0
    for program in ("opentask", *SERVICES):
        libraries = rig.run("ldd", f"/usr/local/bin/{program}").stdout
        swift = [line for line in libraries.splitlines() if "libswiftCore" in line or "Foundation" in line]
        assert swift and all("/lib/opentask/" in line for line in swift), libraries
        assert "not found" not in libraries


@pytest.mark.parametrize("service", SERVICES)
def test_it_runs_as_its_own_user_without_rights(rig, service):
    pid = rig.property(f"{service}.service", "MainPID")
    status = rig.run("cat", f"/proc/{pid}/status").stdout
    fields = dict(line.split(":\t", 1) for line in status.splitlines())
    user = rig.run("id", "-u", service).stdout.strip()
    assert fields["Uid"].split() == [user] * 4 and user != "0"
    assert int(fields["CapBnd"], 16) == 0 and int(fields["CapEff"], 16) == 0
    assert fields["NoNewPrivs"].strip() == "1" and fields["Seccomp"].strip() == "2"


@pytest.mark.parametrize("service", ["opentask-api", "opentask-enrich", "opentask-scheduler"])
def test_it_has_no_network_of_its_own(rig, service):
    pid = rig.property(f"{service}.service", "MainPID")
    own = rig.run("readlink", f"/proc/{pid}/ns/net").stdout
    assert own != rig.run("readlink", "/proc/1/ns/net").stdout
    assert rig.property(f"{service}.service", "RestrictAddressFamilies") == "AF_UNIX"


@pytest.mark.parametrize("service", [*SERVICES, "opentask-enricher@x"])
def test_its_sandbox_scores_at_most_2(rig, service):
    done = rig.run("systemd-analyze", "security", "--no-pager", "--threshold=20", f"{service}.service", check=False)
    assert done.returncode == 0, done.stdout[-600:]


def test_systemd_has_nothing_to_say_about_the_units(rig):
    units = rig.run("bash", "-c", "ls /usr/local/lib/systemd/system/opentask* | grep -v @").stdout.split()
    done = rig.run("systemd-analyze", "verify", "--man=no", *units, check=False)
    about_us = [line for line in (done.stdout + done.stderr).splitlines() if "opentask" in line]
    assert about_us == []


def test_each_database_is_its_service_s_alone(rig):
    for user, path in (
        ("opentask-push", "/var/lib/opentask/opentask.db"), ("opentask-api", "/var/lib/opentask-push/push.db"),
        ("nobody", "/var/lib/opentask/opentask.db"),
    ):
        done = rig.run("setpriv", f"--reuid={user}", "--clear-groups", "cat", path, check=False)
        assert "Permission denied" in done.stderr


def test_a_stranger_does_not_get_to_the_sockets(rig):
    done = rig.run(
        "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "opentask", "list", check=False)
    assert done.returncode in (1, 3)
    # One who may open the socket is still asked for.
    done = rig.run(
        "setpriv", "--reuid=nobody", "--regid=opentask", "--clear-groups", "opentask", "list", "--state",
        "/var/lib/opentask", check=False)
    assert (done.returncode, "OPENTASK_OWNER" in done.stderr) == (1, True), done.stderr


def test_the_main_job_by_the_command(rig):
    added = json.loads(rig.opentask("add", "--json", "Call the plumber tomorrow at 9am !high"))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        tasks = json.loads(rig.opentask("list", "--json"))["tasks"]
        task = next(task for task in tasks if task["id"] == added["id"])
        if "ai-to-process" not in task["labels"]:
            break
    assert task["title"] == "Call the plumber"
    assert task["original_title"] == "Call the plumber tomorrow at 9am !high"
    assert task["priority"] == 3
    # 9:00 in Berlin, whose offset Python's own zone data knows.
    from datetime import datetime, timedelta
    from zoneinfo import ZoneInfo
    berlin = ZoneInfo("Europe/Berlin")
    due = datetime.fromisoformat(task["due_at"]).astimezone(berlin)
    created = datetime.fromisoformat(task["created_at"]).astimezone(berlin)
    assert (due.hour, due.minute, due.date()) == (9, 0, created.date() + timedelta(days=1))
    assert rig.opentask("done", str(task["id"])).startswith("Done: Call the plumber")
    rig.opentask("undo")
    assert task["id"] in task_ids(rig.opentask)


def test_the_page_is_served_with_its_library(rig):
    page = rig.run("curl", "-sf", f"{URL}/login").stdout
    assert "<!doctype html>" in page.lower()
    library = rig.run("bash", "-c", "ls /usr/local/share/opentask/web/vendor/*.js").stdout.strip().rsplit("/", 1)[-1]
    assert rig.run("curl", "-sf", f"{URL}/vendor/{library}").stdout


def test_the_doctor_finds_nothing_wrong(rig):
    done = rig.run("opentask", "doctor", "--json", check=False)
    assert [finding for finding in json.loads(done.stdout) if finding["state"] == "bad"] == []
    assert done.returncode == 0


def test_its_log_has_fields_in_the_journal(rig):
    entries = [entry for entry in rig.journal("opentask-api.service") if entry.get("SYSLOG_IDENTIFIER") == "opentask-api"]
    rig.run("systemctl", "restart", "opentask-push.service")
    warnings = [entry for entry in rig.journal("opentask-push.service") if "OPENTASK_SETTING" in entry]
    assert warnings and all(entry["PRIORITY"] == "4" for entry in warnings)
    assert all("MESSAGE" in entry for entry in entries)


def test_a_key_comes_as_a_credential(rig):
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from base64 import urlsafe_b64encode
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    point = key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    rig.path("/etc/credstore").mkdir(exist_ok=True)
    rig.path("/etc/credstore/opentask.vapid_private_key").write_bytes(pem)
    rig.path("/etc/credstore/opentask.vapid_private_key").chmod(0o600)
    rig.run("systemctl", "restart", "opentask-push.service")
    assert rig.opentask("vapid") == urlsafe_b64encode(point).rstrip(b"=").decode()


def test_a_wrong_setting_is_not_tried_again(layer):
    with InstalledHouse(layer) as rig:
        rig.path("/etc/opentask").mkdir(exist_ok=True)
        rig.path("/etc/opentask/opentask.conf").write_text("OPENTASK_PUSH_PRIVATE=perhaps\n")
        rig.run("systemctl", "start", "opentask-push.service", check=False)
        assert rig.state("opentask-push.service") == "failed"
        assert rig.property("opentask-push.service", "ExecMainStatus") == "78"
        assert rig.property("opentask-push.service", "NRestarts") == "0"
        said = " ".join(entry["MESSAGE"] for entry in rig.journal("opentask-push.service"))
        assert "OPENTASK_PUSH_PRIVATE must be true or false" in said


def test_stopping_keeps_everything(rig):
    before = task_ids(rig.opentask)
    rig.run("systemctl", "stop", "opentask.target")
    assert {rig.state(f"{service}.service") for service in SERVICES} == {"inactive"}
    for service in SERVICES:
        assert rig.property(f"{service}.service", "Result") == "success"
    rig.run("systemctl", "start", "opentask.target")
    assert task_ids(rig.opentask) == before


@pytest.fixture(scope="module")
def receiving(layer):
    """A rig whose house is led to a Web Push service inside of it, and that service, waiting to be told to write."""
    with InstalledHouse(layer) as rig:
        folder = rig.path("/etc/opentask")
        folder.mkdir(exist_ok=True)
        (folder / "opentask.conf").write_text(
            "OPENTASK_PUSH_PRIVATE=true\nOPENTASK_CA_FILE=/etc/opentask/ca.pem\nVAPID_EMAIL=mailto:house@example.org\n")
        rig.run("systemctl", "start", "opentask.target")
        rig.opentask("user", "add", "ann", "--timezone", "Europe/Berlin")
        rig.token = rig.opentask("token", "create", "ann", "test")
        yield rig


@pytest.mark.parametrize("service", SERVICES)
def test_20_restarts_under_16_writers_fail_no_request_and_deliver_every_message_once(receiving, service):
    rig = receiving
    receiver = rig.start(
        PYTHON, HELPERS / "receiver.py", URL, "/etc/opentask", SOCKETS["opentask-push"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert receiver.stdout.readline() == "ready\n"
    rig.run("chmod", "644", "/etc/opentask/ca.pem")
    rig.run("systemctl", "restart", "opentask-push.service")  # reads the new authority's certificate
    receiver.stdin.write(rig.token + "\n")
    receiver.stdin.flush()
    assert receiver.stdout.readline() == "writing\n"
    for _ in range(20):
        done = rig.run("systemctl", "restart", f"{service}.service", check=False)
        assert done.returncode == 0, "\n".join(entry["MESSAGE"] for entry in rig.journal(f"{service}.service")[-12:])
    printed, _ = receiver.communicate(timeout=300)
    result = json.loads(printed)
    print(f"{service}: 20 restarts, {len(result['done'])} tasks completed, {len(result['arrived'])} messages arrived")
    assert result["failures"] == []
    assert len(result["done"]) >= 20
    assert set(result["stored"]) >= set(result["done"])
    assert result["left"] == 0
    # N-40, N-5: each completion dismissed its task, once.
    assert result["arrived"] == {str(number): 1 for number in result["done"]}
    assert rig.property(f"{service}.service", "Result") == "success"


@pytest.mark.parametrize(
    "enricher, title",
    # Only the built-in one knows the mark of a priority, so the title tells who has read it.
    [("python", "Water plant {} !high"), ("builtin", "Water plant {}")])
def test_500_texts_that_wait_are_read_once_by_the_enricher_that_one_swaps_to(rig, enricher, title):
    rig.run("systemctl", "start", "opentask-enricher-python.socket")
    doors = ["opentask-enrich.socket", "opentask-enricher-builtin.socket"]
    rig.run("systemctl", "stop", *doors, "opentask-enrich.service")
    done = rig.run(PYTHON, "-c", ADD, HELPERS, URL, rig.token, 500)
    added = json.loads(done.stdout)
    assert rig.call("opentask-api", "org.opentask.local.Status")["jobs_waiting"] == 500
    rig.run("systemctl", "start", *doors)
    rig.opentask("enrich", "use", enricher)
    deadline = time.monotonic() + PATIENCE
    while rig.call("opentask-api", "org.opentask.local.Status")["jobs_waiting"]:
        assert time.monotonic() < deadline, rig.opentask("enrich", "status")
    tasks = {task["id"]: task for task in tasks_of(rig.opentask)}
    for number, before in enumerate(added):
        after = tasks[before["id"]]
        assert after["title"] == title.format(number)
        assert "ai-to-process" not in after["labels"] and "ai-failed" not in after["labels"]
        # A second reading, or a report that was counted twice, would have changed it twice.
        assert after["version"] == before["version"] + 1
