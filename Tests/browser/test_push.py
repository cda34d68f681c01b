"""Notifications: the page's words, and the service worker in a real browser, given pushes by DevTools."""

import json

import pytest
from conftest import sign_in
from playwright.sync_api import Page, expect
from test_page import LONG_AGO, receipt, row


@pytest.fixture
def worker(visitor, server):
    """The service worker of a signed-in page, and a way to push to it."""
    context = visitor(permissions=["notifications"])
    page = sign_in(context.new_page())
    devtools = context.new_cdp_session(page)
    registrations = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")

    # Asking for the notifications while one is being shown can make Chromium forget it (it drops from its list what is
    # not on the screen yet), so every push is waited for before anybody asks.
    (service_worker,) = context.service_workers
    service_worker.evaluate(
        "() => { const handle = receive; self.handled = 0;"
        " self.receive = async (payload) => { try { return await handle(payload); } finally { self.handled += 1; } }; }")
    pushes = 0

    def push(payload: dict | str) -> None:
        nonlocal pushes
        devtools.send("ServiceWorker.deliverPushMessage", {
            "origin": server.address, "registrationId": registrations[0]["registrationId"],
            "data": payload if isinstance(payload, str) else json.dumps(payload)})
        pushes += 1
        service_worker.evaluate(
            "async (count) => { while (self.handled < count) await new Promise((done) => setTimeout(done, 10)); }", pushes)

    page.push = push
    yield page


SHOWN = """async (count) => {
  const registration = await navigator.serviceWorker.getRegistration();
  const giveUp = performance.now() + 15_000;
  for (;;) {
    const list = await registration.getNotifications();
    if (list.length === count || performance.now() > giveUp) {
      return list.map(({ title, body, tag, data, actions }) => ({ title, body, tag, data,
        actions: actions.map(({ action }) => action) }));
    }
    await new Promise(requestAnimationFrame);
  }
}"""


def shown(page: Page, count: int) -> list[dict]:
    """The notifications on the screen, once there are `count` of them."""
    found = page.evaluate(SHOWN, count)
    assert len(found) == count
    return found


def respond(page: Page, action: str) -> None:
    """Presses a button of the only notification; an empty action is a press on the notification itself."""
    (service_worker,) = page.context.service_workers
    service_worker.evaluate(
        "async (action) => { const [shown] = await registration.getNotifications(); shown.close();"
        " await respond(shown.data, action); }", action)


def over_target(task: dict) -> dict:
    """What the push service sends (api.md 5A, N-16, N-18)."""
    return {
        "title": task["title"], "body": "Over target", "tag": f"task-{task['id']}", "renotify": True,
        "data": {"url": f"/?task={task['id']}", "taskId": task["id"], "dueAt": task["due_at"]},
        "actions": [{"action": "done", "title": "Done"}, {"action": "snooze", "title": "+1hr"}],
    }


def test_a_push_is_shown_and_repeats_replace_it(worker, server):
    task = server.add("Water the ferns", due_at=LONG_AGO)
    worker.push(over_target(task))
    (notification,) = shown(worker, 1)
    assert notification["title"] == "Water the ferns" and notification["body"] == "Over target"
    assert notification["actions"] == ["done", "snooze"]
    worker.push(over_target(task))
    other = server.add("Buy milk", due_at=LONG_AGO)
    worker.push(over_target(other))
    assert {each["title"] for each in shown(worker, 2)} == {"Water the ferns", "Buy milk"}


def test_what_was_handled_elsewhere_is_taken_away(worker, server):
    tasks = [server.add(f"Task {number}", due_at=LONG_AGO) for number in (1, 2, 3)]
    for task in tasks:
        worker.push(over_target(task))
    shown(worker, 3)
    worker.push({"type": "dismiss", "taskIds": [tasks[0]["id"], 999_999]})
    assert {each["title"] for each in shown(worker, 2)} == {"Task 2", "Task 3"}
    worker.push({"type": "dismiss-all"})
    shown(worker, 0)


def test_a_push_that_cannot_be_read_still_shows_something(worker):
    worker.push("no json")
    assert shown(worker, 1)[0]["title"] == "OpenTask"


def test_done_in_the_notification_completes_the_task(worker, server):
    task = server.add("Water the ferns", due_at=LONG_AGO)
    worker.push(over_target(task))
    shown(worker, 1)
    respond(worker, "done")
    shown(worker, 0)
    expect(row(worker, "Water the ferns")).to_have_count(0)
    assert server.call("GET", f"api/tasks/{task['id']}")["done"]


def test_an_old_notification_never_completes_the_next_occurrence(worker, server):
    """C-3."""
    task = server.add("Feed the cat", due_at=LONG_AGO, rrule="FREQ=DAILY")
    worker.push(over_target(task))
    shown(worker, 1)
    moved = server.call("POST", f"api/tasks/{task['id']}/done", {})
    assert moved["due_at"] > task["due_at"]
    respond(worker, "done")
    assert server.call("GET", f"api/tasks/{task['id']}")["due_at"] == moved["due_at"]


def test_an_hour_later_in_the_notification_snoozes_the_task(worker, server):
    task = server.add("Water the ferns", due_at=LONG_AGO)
    worker.push(over_target(task))
    shown(worker, 1)
    respond(worker, "snooze")
    shown(worker, 0)
    after = server.call("GET", f"api/tasks/{task['id']}")
    assert after["due_at"] > task["due_at"] and after["original_due_at"] == task["due_at"]


def test_a_button_that_did_not_reach_the_server_says_so(worker, server):
    task = server.add("Water the ferns", due_at=LONG_AGO)
    worker.push(over_target(task))
    shown(worker, 1)
    worker.context.clear_cookies()
    respond(worker, "done")
    assert "Not done" in shown(worker, 1)[0]["title"]


def test_a_press_leads_the_open_page_to_the_task(worker, server):
    task = server.add("Water the ferns", due_at=LONG_AGO)
    expect(row(worker, "Water the ferns")).to_have_count(1)
    worker.push(over_target(task))
    shown(worker, 1)
    worker.get_by_label("Add a task").fill("half a sentence")
    (service_worker,) = worker.context.service_workers
    # Only a real press may take the focus from another window; leading the page there needs no permission.
    service_worker.evaluate("(id) => respond({ taskId: id }, '').catch(() => null)", task["id"])
    expect(row(worker, "Water the ferns")).to_have_attribute("aria-current", "true")
    expect(worker.get_by_label("Add a task")).to_have_value("half a sentence")


def test_blocked_notifications_are_explained_in_words(visitor, server):
    context = visitor()
    # What a browser says once a person has chosen "Block"; DevTools can only grant and reset.
    context.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })")
    page = sign_in(context.new_page())
    page.get_by_role("button", name="Account").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_contain_text("Notifications are blocked for this address")
    expect(dialog.get_by_role("button", name="Enable notifications")).to_have_count(0)


def test_a_browser_that_cannot_is_told_apart(visitor, server):
    context = visitor()
    context.add_init_script("delete window.PushManager")
    page = sign_in(context.new_page())
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text(
        "This browser cannot receive notifications.")


def test_a_server_without_keys_says_so(page):
    page.route("**/api/push/vapid-key",
               lambda route: route.fulfill(json={"data": {"publicKey": "", "configured": False}}))
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("This server has no keys")


def test_enabling_subscribes_this_browser_and_tells_the_server(visitor, server):
    """Chromium has no push service of its own to reach from here: its part is played by the page's own objects."""
    context = visitor(permissions=["notifications"])
    context.add_init_script("""
      let made = null;
      PushManager.prototype.getSubscription = async () => made;
      PushManager.prototype.subscribe = async (options) => {
        made = {
          endpoint: "https://push.example/one",
          toJSON: () => ({ endpoint: made.endpoint, keys: { p256dh: "BPub", auth: "AuTh" } }),
          unsubscribe: async () => { made = null; return true; },
        };
        window.asked = { visible: options.userVisibleOnly, key: options.applicationServerKey.length };
        return made;
      };
    """)
    page = sign_in(context.new_page())
    bodies = []
    page.route("**/api/push/subscribe", lambda route: (bodies.append((route.request.method,
        route.request.post_data_json)), route.fulfill(json={"data": {"subscribed": True}})))
    page.get_by_role("button", name="Account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Enable notifications").click()
    expect(dialog.get_by_role("status")).to_have_text("This browser tells you when a target arrives.")
    # An uncompressed P-256 point (RFC 8292).
    assert page.evaluate("window.asked") == {"visible": True, "key": 65}
    assert bodies == [("POST", {"endpoint": "https://push.example/one", "keys": {"p256dh": "BPub", "auth": "AuTh"}})]
    dialog.get_by_role("button", name="Turn off").click()
    expect(dialog.get_by_role("button", name="Enable notifications")).to_be_visible()
    assert bodies[1] == ("DELETE", {"endpoint": "https://push.example/one"})


def test_the_offer_on_the_page_is_made_once(page):
    offer = page.get_by_role("complementary", name="Notifications")
    offer.get_by_role("button", name="Not now").click()
    expect(offer).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Add a task")).to_be_visible()
    expect(offer).to_have_count(0)
    expect(receipt(page)).to_be_empty()
