"""nginx and Caddy in front: signing in, the page's addresses, the event stream; at the root and below a path."""

import http.client
import http.cookies
import json
import re
import socket
import urllib.parse

import pytest
from conftest import PATIENCE, proxy, short_house

KINDS = ("nginx", "caddy")
PLACES = ("", "/tasks")
EVERY = [(kind, place) for kind in KINDS for place in PLACES]


class Browser:
    """As much of one as signing in needs: cookies with their paths, and the Origin of writes."""

    def __init__(self, base):
        self.base = urllib.parse.urlsplit(base)
        self.cookies = {}

    def send(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection(self.base.hostname, self.base.port, timeout=PATIENCE)
        sent = [f"{name}={cookie.value}" for name, cookie in self.cookies.items() if path.startswith(cookie["path"])]
        if sent:
            headers["Cookie"] = "; ".join(sent)
        if method != "GET":
            headers["Origin"] = f"http://{self.base.netloc}"
            headers["Sec-Fetch-Site"] = "same-origin"  # as browsers do over TLS, and on this address
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        reply.text = reply.read().decode(errors="replace")  # pictures, too
        for line in reply.headers.get_all("Set-Cookie") or []:
            for name, cookie in http.cookies.SimpleCookie(line).items():
                self.cookies[name] = cookie
        connection.close()
        return reply

    def form(self, path, **fields):
        return self.send("POST", path, urllib.parse.urlencode(fields),
                         **{"Content-Type": "application/x-www-form-urlencoded"})


@pytest.mark.parametrize("kind, place", EVERY)
def test_signing_in_and_out_stays_where_the_house_is(house, kind, place):
    with proxy(kind, house.url, place) as base:
        browser = Browser(base)
        sent_away = browser.send("GET", f"{place}/?task=1")
        assert sent_away.status == 303
        location = urllib.parse.urlsplit(sent_away.headers["Location"])
        assert location.path == f"{place}/login"
        assert urllib.parse.parse_qs(location.query)["callbackUrl"] == [f"{place}/?task=1"]
        assert browser.send("GET", location.path).status == 200
        token = json.loads(browser.send("GET", f"{place}/api/auth/csrf").text)["csrfToken"]
        wrong = browser.form(f"{place}/api/auth/callback/credentials", csrfToken=token, username="admin", password="no")
        assert (wrong.status, wrong.headers["Location"]) == (303, f"{place}/login?error=CredentialsSignin")
        entered = browser.form(f"{place}/api/auth/callback/credentials", csrfToken=token, username="admin",
                               password=house.password, callbackUrl=f"{place}/?task=1")
        assert (entered.status, entered.headers["Location"]) == (303, f"{place}/?task=1")
        assert {cookie["path"] for cookie in browser.cookies.values()} == {place or "/"}
        assert browser.send("GET", f"{place}/").status == 200
        assert json.loads(browser.send("GET", f"{place}/api/auth/me").text)["data"]["name"] == "admin"
        left = browser.form(f"{place}/api/auth/signout", csrfToken=token)
        assert (left.status, left.headers["Location"]) == (303, f"{place}/login")
        assert browser.send("GET", f"{place}/api/auth/me").status == 401


@pytest.mark.parametrize("kind, place", EVERY)
def test_every_address_in_a_page_leads_back_to_the_house(house, kind, place):
    with proxy(kind, house.url, place) as base:
        browser = Browser(base)
        page = f"http://{browser.base.netloc}{place}/login"
        seen, waiting = set(), [page]
        while waiting:
            address = waiting.pop()
            if address in seen:
                continue
            seen.add(address)
            parts = urllib.parse.urlsplit(address)
            assert parts.path.startswith(f"{place}/"), address
            reply = browser.send("GET", parts.path)
            assert reply.status == 200, address
            kind_of_text = reply.headers["Content-Type"].partition(";")[0]
            if kind_of_text == "text/html":
                found = re.findall(r'(?:href|src)="([^"#]+)"', reply.text)
            elif kind_of_text == "text/javascript":
                found = re.findall(r'(?:from|import) "([^"]+)"', reply.text)
            elif kind_of_text == "application/manifest+json":
                manifest = json.loads(reply.text)
                for word in ("start_url", "scope", "id"):
                    assert urllib.parse.urljoin(address, manifest[word]) == f"http://{browser.base.netloc}{place}/"
                found = [icon["src"] for icon in manifest["icons"]]
            else:
                found = []
            waiting += [urllib.parse.urljoin(address, there) for there in found if not there.startswith("data:")]
        assert len(seen) > 5
        # The worker's scope is the folder that it lies in.
        worker = browser.send("GET", f"{place}/sw.js")
        assert worker.status == 200 and worker.headers["Content-Type"].startswith("text/javascript")


@pytest.mark.parametrize("kind, place", EVERY)
def test_an_event_comes_while_the_stream_is_open(house, kind, place):
    with proxy(kind, house.url, place) as base:
        address = urllib.parse.urlsplit(base)
        key = {"Authorization": f"Bearer {house.key}"}
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
        connection.request("GET", f"{place}/api/sync/stream", headers=key)
        stream = connection.getresponse()
        assert stream.status == 200 and stream.headers["Content-Type"] == "text/event-stream"

        def event():
            while not (line := stream.readline()).startswith(b"data:"):
                assert line, "the stream has ended"
            return json.loads(line[5:])

        assert event() == {"type": "connected"}
        # What a proxy holds back until it has a buffer full would not be here before the next is sent.
        for number in range(3):
            other = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
            title = f"{kind}{place} {number}"
            other.request("POST", f"{place}/api/tasks", json.dumps({"title": title, "enrich": False}), key)
            assert other.getresponse().status == 201
            assert event()["type"] == "sync"
            assert event()["title"] == title
        connection.close()


@pytest.mark.parametrize("kind", KINDS)
def test_whom_the_proxy_has_signed_in_is_signed_in(kind):
    with short_house(OPENTASK_PROXY_AUTH_HEADER="X-Remote-User") as house:
        with proxy(kind, house.url, header=("X-Remote-User", "admin")) as base:
            browser = Browser(base)
            me = browser.send("GET", "/api/auth/me")
            assert (me.status, json.loads(me.text)["data"]["name"]) == (200, "admin")
            # What somebody sends himself is replaced by the proxy.
            assert json.loads(browser.send("GET", "/api/auth/me", **{"X-Remote-User": "eve"}).text)["data"]["name"] == "admin"


def raw(url, source, *lines):
    """One request from an address of ours, with header lines as they are."""
    address = urllib.parse.urlsplit(url)
    with socket.create_connection((address.hostname, address.port), PATIENCE, (source, 0)) as connection:
        head = "\r\n".join(("GET /api/auth/me HTTP/1.1", f"Host: {address.netloc}", "Connection: close", *lines))
        connection.sendall(f"{head}\r\n\r\n".encode())
        reply = b""
        while piece := connection.recv(65536):
            reply += piece
    return int(reply.split()[1])


def test_only_the_real_peers_header_counts_and_only_once():
    with short_house(OPENTASK_PROXY_AUTH_HEADER="X-Remote-User", OPENTASK_TRUSTED_PROXIES="127.0.0.2") as house:
        with proxy("nginx", house.url, header=("X-Remote-User", "admin"), source="127.0.0.2") as base:
            assert Browser(base).send("GET", "/api/auth/me").status == 200
        admin = "X-Remote-User: admin"
        assert raw(house.url, "127.0.0.2", admin) == 200
        assert raw(house.url, "127.0.0.1", admin) == 401
        for claim in ("X-Forwarded-For: 127.0.0.2", "X-Real-IP: 127.0.0.2", "Forwarded: for=127.0.0.2"):
            assert raw(house.url, "127.0.0.1", admin, claim) == 401
        assert raw(house.url, "127.0.0.2", admin, admin) == 400
        assert raw(house.url, "127.0.0.2", admin, "X-Remote-User: eve") == 400


@pytest.mark.parametrize("kind", KINDS)
def test_a_real_browser_below_a_path(house, kind):
    playwright = pytest.importorskip("playwright.sync_api")
    with proxy(kind, house.url, "/tasks") as base, playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(base_url=base)
        page.goto(f"{base}/")
        page.wait_for_url("**/tasks/login**")
        page.locator("input[name=username]").fill("admin")
        page.locator("input[name=password]").fill(house.password)
        page.locator("button[type=submit]").click()
        page.wait_for_url(f"{base}/")
        # A write with the session's cookie, from the page itself.
        made = page.evaluate(
            """async (title) => (await fetch("api/tasks", {method: "POST", body: JSON.stringify({title, enrich: false})}))
            .status""", f"seen through {kind}")
        assert made == 201
        page.get_by_text(f"seen through {kind}").first.wait_for()  # the event stream brought it
        scope = page.evaluate("async () => (await navigator.serviceWorker.register('sw.js')).scope")
        assert scope == f"{base}/"
        browser.close()
