"""The page in Debian's Chromium, fed by the real server through `opentask up`.

    pytest Tests/browser

`OPENTASK_BIN` is the command to test or the folder that it lies in, else `.build/debug`; `OPENTASK_CHROMIUM` the browser, else
`/usr/bin/chromium`. Screenshots are left in `var/screenshots/`.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "var" / "screenshots"
ZONE = "America/Chicago"
NAME, PASSWORD = "ada", "correct horse battery staple"

# How long a thing may take to appear. Nothing waits this long unless it fails.
expect.set_options(timeout=15_000)


class Server:
    """A house of its own: four services on private sockets, an empty database, one user."""

    def __init__(self, state: pathlib.Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self.log = state / "log"
        command = pathlib.Path(os.environ.get("OPENTASK_BIN", ROOT / ".build" / "debug"))
        if command.is_dir():
            command /= "opentask"
        self.process = subprocess.Popen(
            [command, "up", "--listen", f"127.0.0.1:{port}", "--state", str(state / "data")],
            cwd=ROOT,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
            env={
                **os.environ,
                "AUTH_URL": self.address,
                "OPENTASK_WEB": f"{ROOT / 'web'}:{ROOT / 'var' / 'web-vendor'}",
                "OPENTASK_INIT_USERNAME": NAME,
                "OPENTASK_INIT_PASSWORD": PASSWORD,
                "OPENTASK_INIT_TIMEZONE": ZONE,
            },
        )
        self.cookie = ""
        try:
            self._wait_until_healthy()
            self._sign_in()
        except BaseException:
            self.stop()
            raise

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/api/health", timeout=10):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)  # between two knocks at a door that is not open yet
        pytest.fail(f"the server did not come up:\n{self.log.read_text()}")

    def _sign_in(self) -> None:
        """A session for what the tests arrange behind the page's back."""
        token = self._csrf()
        body = json.dumps({"username": NAME, "password": PASSWORD, "csrfToken": token, "json": "true"})
        request = urllib.request.Request(
            f"{self.address}/api/auth/callback/credentials", body.encode(),
            {"Content-Type": "application/json", "Cookie": self.cookie},
        )
        with urllib.request.urlopen(request) as answer:
            for header in answer.headers.get_all("Set-Cookie") or []:
                pair = header.split(";", 1)[0]
                if "session-token" in pair:
                    self.cookie = pair
        assert "session-token" in self.cookie, "no session cookie"

    def _csrf(self) -> str:
        with urllib.request.urlopen(f"{self.address}/api/auth/csrf") as answer:
            cookies = answer.headers.get_all("Set-Cookie") or []
            self.cookie = "; ".join(header.split(";", 1)[0] for header in cookies)
            return json.load(answer)["csrfToken"]

    def call(self, method: str, path: str, body: dict | None = None) -> dict:
        request = urllib.request.Request(
            f"{self.address}/{path}", None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/json", "Cookie": self.cookie}, method=method,
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["data"]

    def add(self, title: str, **fields) -> dict:
        """A task as given: the enricher leaves it alone."""
        return self.call("POST", "api/tasks", {"title": title, "enrich": False, **fields})

    def end_service(self, name: str) -> None:
        """Ends one of the services as an operator would; `opentask up` starts it again."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        (pid,) = [int(child) for child in children
                  if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == name[:15]]
        os.kill(pid, signal.SIGTERM)

    def empty(self) -> None:
        """Every test begins with an empty list."""
        for task in self.call("GET", "api/tasks?limit=1000")["tasks"]:
            self.call("DELETE", f"api/tasks/{task['id']}", {})

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


@pytest.fixture(scope="session")
def vendor() -> None:
    subprocess.run([sys.executable, str(ROOT / "web" / "unpack-vendor.py")], check=True)


@pytest.fixture(scope="session")
def house(vendor, tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("house"))
    yield server
    server.stop()


@pytest.fixture
def server(house: Server) -> Server:
    house.empty()
    return house


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("OPENTASK_CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def visitor(browser: Browser, server: Server):
    """Makes browser contexts; each is a device of its own. What the pages complain about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def visit(width: int = 1280, height: int = 800, scheme: str = "light", **options) -> BrowserContext:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-US",
            base_url=server.address, reduced_motion="reduce", **options)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("console", lambda message: complaints.append(message.text)
                   if "Content Security Policy" in message.text else None)
        contexts.append(context)
        return context

    visit.complaints = complaints
    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


def sign_in(page: Page) -> Page:
    page.goto("/")
    page.get_by_label("Name or e-mail").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Add a task")).to_be_visible()
    expect(page.get_by_text("Loading…")).to_have_count(0)
    return page


@pytest.fixture
def page(visitor) -> Page:
    return sign_in(visitor().new_page())


def keep(page: Page, name: str, whole: bool = False) -> None:
    """Leaves a screenshot as output of the run: what is on the screen, or the `whole` page."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)
