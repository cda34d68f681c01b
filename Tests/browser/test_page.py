"""The main job as a person does it on the page, with the mouse, with the keyboard, on two devices at once."""

import re
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from conftest import NAME, PASSWORD, ZONE, sign_in
from playwright.sync_api import Page, Route, expect

TYPED = "Call the plumber tomorrow at 9am !high #home"
LONG_AGO = "2020-01-06T15:00:00Z"  # a Monday, 9:00 AM in Chicago


@pytest.fixture
def home(server) -> dict:
    for project in server.call("GET", "api/projects")["projects"]:
        if project["name"] == "Home":
            return project
    return server.call("POST", "api/projects", {"name": "Home", "color": "green"})


def in_hours(hours: float) -> str:
    return (datetime.now(timezone.utc) + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def local(due_at: str) -> datetime:
    return datetime.fromisoformat(due_at.replace("Z", "+00:00")).astimezone(ZoneInfo(ZONE))


def clock_time(due_at: str) -> str:
    """3:00 PM (X-20)."""
    return local(due_at).strftime("%-I:%M %p")


def row(page: Page, title: str):
    return page.locator(".row").filter(has=page.get_by_role("button", name=title, exact=True))


def group(page: Page, name: str):
    return page.get_by_role("region", name=re.compile(f"^{name}"))


def receipt(page: Page):
    return page.locator(".receipt [role=status]")


def type_task(page: Page, text: str) -> None:
    page.get_by_label("Add a task").fill(text)
    page.get_by_role("button", name="Add", exact=True).click()


class Held:
    """Requests that wait on their way until the test lets them go, so that "at once" means before the answer."""

    def __init__(self, page: Page, path: str):
        self.page, self.pattern = page, re.compile(path)
        self.routes: list[Route] = []
        page.route(self.pattern, self._hold)

    def _hold(self, route: Route) -> None:
        if route.request.method == "GET":
            route.fallback()
        else:
            self.routes.append(route)

    def _next(self) -> Route:
        while not self.routes:
            self.page.wait_for_event("request")
        return self.routes.pop(0)

    def let_go(self) -> None:
        self._next().continue_()

    def refuse(self, sentence: str) -> None:
        self._next().fulfill(status=400, json={"error": sentence, "code": "VALIDATION_ERROR"})


def test_a_typed_task_is_there_at_once_and_is_read_on_every_open_page(page, visitor, home):
    other = sign_in(visitor().new_page())
    held = Held(page, r"/api/tasks$")
    type_task(page, TYPED)
    expect(row(page, TYPED)).to_contain_text("enriching")
    expect(page.get_by_label("Add a task")).to_have_value("")
    held.let_go()

    for device in (page, other):
        read = row(device, "Call the plumber")
        expect(read).to_contain_text("Tomorrow 9:00 AM")
        expect(read).to_contain_text("High")
        expect(read).to_contain_text("Home")
        expect(read).not_to_contain_text("enriching")
        expect(row(device, TYPED)).to_have_count(0)
        expect(group(device, "Later").locator(".row")).to_have_count(1)
    expect(receipt(page)).to_have_text("Added to Home · Tomorrow 9:00 AM · High")


def test_groups_are_in_order_and_the_oldest_target_is_first(page, server):
    server.add("No date at all")
    server.add("Next month", due_at=in_hours(24 * 30))
    server.add("Last year", due_at=in_hours(-24 * 365))
    server.add("Older but low", due_at=LONG_AGO, priority=1)
    server.add("As old and high", due_at=LONG_AGO, priority=3)
    expect(page.locator(".row .title")).to_have_text(
        ["As old and high", "Older but low", "Last year", "Next month", "No date at all"])
    expect(page.get_by_role("heading", level=2)).to_have_text(
        [re.compile(r"^Over target\s*3$"), re.compile(r"^Later\s*1$"), re.compile(r"^No date\s*1$")])
    expect(row(page, "As old and high").locator(".when .day")).to_have_text("Jan 6 ")
    expect(row(page, "As old and high").locator(".when .hour")).to_have_text("9:00 AM")
    expect(page).to_have_title("(3) OpenTask")


def test_an_hour_later_is_drawn_at_once_and_is_what_the_server_says(page, visitor, server):
    other = sign_in(visitor().new_page())
    task = server.add("Water the ferns", due_at=LONG_AGO)
    expect(group(page, "Over target")).to_contain_text("Water the ferns")
    held = Held(page, r"/snooze$")
    row(page, "Water the ferns").get_by_role("button", name="+1h").click()
    expect(group(page, "Over target")).to_have_count(0)
    held.let_go()

    expect(receipt(page)).to_contain_text('Snoozed "Water the ferns" to')
    expect(group(other, "Over target")).to_have_count(0)
    due_at = server.call("GET", f"api/tasks/{task['id']}")["due_at"]
    for device in (page, other):
        expect(row(device, "Water the ferns").locator(".when")).to_contain_text(clock_time(due_at))


def test_a_refusal_is_taken_back_with_a_sentence(page, server):
    server.add("Water the ferns", due_at=LONG_AGO)
    held = Held(page, r"/(done|snooze)$")
    for button, gone_from in (("Done", "Over target"), ("+1h", "Over target")):
        row(page, "Water the ferns").get_by_role("button", name=button).click()
        expect(group(page, gone_from)).to_have_count(0)
        held.refuse("The ferns are not yours to touch")
        expect(page.get_by_role("alert").filter(has_text="The ferns are not yours")).to_be_visible()
        expect(group(page, "Over target")).to_contain_text("Water the ferns")


def test_what_could_not_be_added_comes_back_into_the_line(page):
    held = Held(page, r"/api/tasks$")
    type_task(page, "A text worth keeping")
    expect(row(page, "A text worth keeping")).to_have_count(1)
    held.refuse("No more tasks today")
    expect(page.get_by_role("alert").filter(has_text="No more tasks today")).to_be_visible()
    expect(page.get_by_label("Add a task")).to_have_value("A text worth keeping")
    expect(row(page, "A text worth keeping")).to_have_count(0)


def test_done_undo_and_redo_leave_a_receipt_and_show_on_both_devices(page, visitor, server):
    other = sign_in(visitor().new_page())
    server.add("Buy milk", due_at=LONG_AGO, priority=3)
    row(page, "Buy milk").get_by_role("button", name="Done").click()
    expect(receipt(page)).to_have_text('Completed "Buy milk"')
    for device in (page, other):
        expect(row(device, "Buy milk")).to_have_count(0)

    page.locator(".receipt").get_by_role("button", name="Undo").click()
    expect(receipt(page)).to_have_text('Undid: Completed "Buy milk"')
    for device in (page, other):
        expect(group(device, "Over target")).to_contain_text("Buy milk")
        expect(row(device, "Buy milk")).to_contain_text("High")

    page.get_by_role("banner").get_by_role("button", name="Redo").click()
    expect(receipt(page)).to_have_text('Redid: Completed "Buy milk"')
    for device in (page, other):
        expect(row(device, "Buy milk")).to_have_count(0)


def test_a_recurring_task_moves_on_and_the_receipt_names_the_next_time(page, server):
    task = server.add("Feed the cat", due_at=in_hours(-2), rrule="FREQ=DAILY")
    row(page, "Feed the cat").get_by_role("button", name="Done").click()
    expect(receipt(page)).to_contain_text('Completed "Feed the cat". Next: ')
    next_at = server.call("GET", f"api/tasks/{task['id']}")["due_at"]
    expect(receipt(page)).to_contain_text(clock_time(next_at))
    expect(row(page, "Feed the cat")).to_contain_text(clock_time(next_at))


def test_snooze_all_says_what_the_server_says(page, server):
    server.add("Low one", due_at=LONG_AGO, priority=1)
    server.add("High one", due_at=LONG_AGO, priority=3)
    server.add("Urgent one", due_at=LONG_AGO, priority=4)
    with page.expect_response(re.compile("snooze-overdue")) as answered:
        page.get_by_role("button", name="Snooze all over target (1)").click()
    expect(receipt(page)).to_have_text(answered.value.json()["data"]["message"])
    expect(group(page, "Over target").locator(".row .title")).to_have_text(["Urgent one", "High one"])
    # What is left to move is the High one now; Urgent never is (S-12).
    expect(page.get_by_role("button", name="Snooze all over target (1)")).to_be_visible()


def test_details_are_changed_in_the_dialog(page, visitor, server, home):
    other = sign_in(visitor().new_page())
    task = server.add("Dentist", due_at=in_hours(3))
    row(page, "Dentist").get_by_role("button", name="Dentist", exact=True).click()
    dialog = page.get_by_role("dialog", name="Task")
    expect(dialog.get_by_label("Title")).to_have_value("Dentist")
    expect(dialog.get_by_label("Target", exact=True)).to_have_value(
        local(task["due_at"]).strftime("%Y-%m-%dT%H:%M"))
    dialog.get_by_label("Title").fill("Dentist, second floor")
    dialog.get_by_label("Target", exact=True).fill("2031-03-09T02:30")  # a time that clocks skip
    dialog.get_by_label("Priority").select_option("Urgent")
    dialog.get_by_label("Project").select_option("Home")
    dialog.get_by_label("Notes").fill("Bring the card")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    for device in (page, other):
        changed = row(device, "Dentist, second floor")
        expect(changed).to_contain_text("Mar 9 3:30 AM")
        expect(changed).to_contain_text("Urgent")
        expect(changed).to_contain_text("Home")
    stored = server.call("GET", f"api/tasks/{task['id']}")
    assert (stored["notes"], stored["due_at"]) == ("Bring the card", "2031-03-09T08:30:00.000Z")
    assert stored["snooze_count"] == 0, "a picked target is no snooze (T-8)"

    row(page, "Dentist, second floor").get_by_role("button", name="Dentist, second floor", exact=True).click()
    dialog.get_by_role("button", name="Remove the target").click()
    dialog.get_by_role("button", name="Save").click()
    expect(group(page, "No date")).to_contain_text("Dentist, second floor")

    row(page, "Dentist, second floor").get_by_role("button", name="Dentist, second floor", exact=True).click()
    dialog.get_by_role("button", name="Delete").click()
    expect(row(page, "Dentist, second floor")).to_have_count(0)
    page.locator(".receipt").get_by_role("button", name="Undo").click()
    expect(group(page, "No date")).to_contain_text("Dentist, second floor")


def test_a_refused_edit_keeps_what_was_typed(page, server):
    server.add("Dentist")
    row(page, "Dentist").get_by_role("button", name="Dentist", exact=True).click()
    dialog = page.get_by_role("dialog", name="Task")
    held = Held(page, r"/api/tasks/\d+$")
    dialog.get_by_label("Title").fill("Dentist at the station")
    dialog.get_by_role("button", name="Save").click()
    held.refuse("Not now")
    expect(dialog.get_by_role("alert")).to_have_text("Not now")
    expect(dialog.get_by_label("Title")).to_have_value("Dentist at the station")


def test_the_list_is_worked_off_with_the_keyboard_alone(page, server):
    for number in (1, 2, 3):
        server.add(f"Task {number}", due_at=f"2020-01-0{number}T12:00:00Z")
    expect(page.locator(".row")).to_have_count(3)
    focused = page.locator(":focus")
    keys = page.keyboard

    keys.press("j")
    expect(focused).to_have_accessible_name("Done: Task 1")
    keys.press("ArrowDown")
    expect(focused).to_have_accessible_name("Done: Task 2")
    keys.press("k")
    expect(focused).to_have_accessible_name("Done: Task 1")
    assert focused.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"

    keys.press("d")
    expect(row(page, "Task 1")).to_have_count(0)
    expect(focused).to_have_accessible_name("Done: Task 2")
    keys.press("u")
    expect(row(page, "Task 1")).to_have_count(1)
    expect(focused).to_have_accessible_name("Done: Task 2")
    keys.press("r")
    expect(row(page, "Task 1")).to_have_count(0)

    keys.press("s")
    expect(group(page, "Over target").locator(".row")).to_have_count(1)
    expect(focused).to_have_accessible_name("Done: Task 3")
    keys.press("Enter")
    expect(group(page, "Over target")).to_have_count(0)
    expect(focused).to_have_accessible_name("Done: Task 2")

    keys.press("e")
    expect(page.get_by_role("dialog", name="Task")).to_be_visible()
    keys.press("Escape")
    expect(focused).to_have_accessible_name("Done: Task 2")
    keys.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("d")  # no dialog's business
    keys.press("Escape")
    expect(row(page, "Task 2")).to_have_count(1)

    keys.press("n")
    expect(page.get_by_label("Add a task")).to_be_focused()
    keys.type("dust")  # letters are letters while one types
    expect(page.get_by_label("Add a task")).to_have_value("dust")
    keys.press("Enter")
    expect(row(page, "dust")).to_have_count(1)
    keys.press("Escape")
    keys.press("/")
    expect(page.get_by_label("Add a task")).to_be_focused()


def test_single_keys_can_be_switched_off(page, server):
    server.add("Task", due_at=LONG_AGO)
    row(page, "Task").get_by_role("button", name="Done").focus()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("d")
    page.reload()
    row(page, "Task").get_by_role("button", name="Done").focus()
    page.keyboard.press("d")
    page.keyboard.press("ArrowUp")
    expect(row(page, "Task")).to_have_count(1)
    assert not server.call("GET", "api/tasks")["tasks"][0]["done"]


def test_a_target_arrives_while_the_page_lies_open(visitor, server):
    server.add("Leave for the train", due_at=in_hours(2))
    page = visitor().new_page()
    page.clock.install()
    sign_in(page)
    expect(row(page, "Leave for the train")).to_have_count(1)
    expect(group(page, "Over target")).to_have_count(0)
    page.clock.fast_forward("02:00:05")
    expect(group(page, "Over target")).to_contain_text("Leave for the train")


def test_more_pages_than_a_browser_has_connections_all_follow(visitor, server):
    """Six HTTP/1.1 connections to a host, over all tabs; one stream serves them all."""
    context = visitor()
    pages = [sign_in(context.new_page())]
    for _ in range(6):
        other = context.new_page()
        other.goto("/")
        pages.append(other)
    server.add("Seen everywhere")
    for each in pages:
        expect(row(each, "Seen everywhere")).to_have_count(1)
    # The page that listened goes; another takes over.
    pages.pop(0).close()
    server.add("Seen by the rest")
    for each in pages:
        expect(row(each, "Seen by the rest")).to_have_count(1)


@pytest.mark.parametrize("service", ["opentask-api", "opentask-enrich"])
def test_a_service_that_is_restarted_is_not_noticed(page, server, home, service):
    type_task(page, "Before the restart")
    expect(row(page, "Before the restart")).to_have_count(1)
    server.end_service(service)
    type_task(page, TYPED)
    expect(row(page, "Call the plumber")).to_contain_text("Tomorrow 9:00 AM")
    server.add("From elsewhere")
    expect(row(page, "From elsewhere")).to_have_count(1)
    expect(page.get_by_role("alert").filter(has_text=re.compile(r"\S"))).to_have_count(0)


def test_a_link_selects_its_task_and_leaves_the_address(page, server):
    task = server.add("Water the ferns", due_at=in_hours(48))
    server.add("Something else")
    page.goto(f"/?task={task['id']}")
    expect(row(page, "Water the ferns")).to_have_attribute("aria-current", "true")
    expect(page.locator(":focus")).to_have_accessible_name("Done: Water the ferns")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/$"))

    page.goto(f"/?task={task['id']}&highlight=1")
    expect(row(page, "Water the ferns")).to_have_class(re.compile("is-flashed"))
    expect(page.locator("[aria-current]")).to_have_count(0)

    row(page, "Water the ferns").get_by_role("button", name="Done").click()
    expect(row(page, "Water the ferns")).to_have_count(0)
    page.goto(f"/?task={task['id']}")
    expect(receipt(page)).to_have_text('"Water the ferns" is done')
    page.goto("/?task=999999999")
    expect(page.get_by_role("alert").filter(has_text="This task is gone")).to_be_visible()


def test_a_link_shows_only_what_is_over_target(page, server):
    server.add("Over", due_at=LONG_AGO)
    server.add("Ahead", due_at=in_hours(48))
    page.goto("/?filter=overdue")
    expect(page.locator(".row .title")).to_have_text(["Over"])
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".row .title")).to_have_text(["Over", "Ahead"])


def test_signing_in_says_what_is_wrong_and_comes_back_to_where_one_was(visitor, server):
    task = server.add("Water the ferns")
    page = visitor().new_page()
    page.goto(f"/?task={task['id']}")
    asked = urlsplit(page.url)
    assert asked.path == "/login"
    assert parse_qs(asked.query) == {"callbackUrl": [f"/?task={task['id']}"]}  # path and query (clients C.1)
    page.get_by_label("Name or e-mail").fill(NAME)
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("This name and password do not match.")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(row(page, "Water the ferns")).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_signing_in_never_leads_to_another_host(visitor, server, elsewhere):
    page = visitor().new_page()
    page.goto(f"/login?callbackUrl={elsewhere}")
    page.get_by_label("Name or e-mail").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Add a task")).to_be_visible()
    expect(page).to_have_url(f"{server.address}/")


def test_signing_out_ends_in_the_sign_in_page(page):
    page.get_by_role("button", name="Account").click()
    page.get_by_role("dialog", name=NAME).get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="OpenTask")).to_be_visible()
    page.goto("/")
    expect(page).to_have_url(re.compile("/login"))


def test_a_session_that_has_ended_leads_to_the_sign_in_page_and_back_to_what_was_typed(page, server):
    page.get_by_label("Add a task").fill("half a sentence")
    page.context.clear_cookies()
    server.add("A change that the page hears of")
    expect(page.get_by_label("Password")).to_be_visible()
    page.get_by_label("Name or e-mail").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("Add a task")).to_have_value("half a sentence")


def test_titles_are_text_whatever_they_look_like(page, server):
    nasty = '<img src=x onerror="document.title=1"> & "quotes" שלום'
    server.add(nasty)
    expect(row(page, nasty)).to_have_count(1)
    expect(page.locator(".row img")).to_have_count(0)
    expect(page).to_have_title("OpenTask")


def test_nothing_inline_is_allowed_to_run(page, visitor):
    policy = page.request.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.evaluate(
            "document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    assert page.evaluate("window.ran") is None
    visitor.complaints.clear()
