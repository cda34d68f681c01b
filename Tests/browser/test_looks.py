"""How the page looks and feels: no sideways scroll, contrast, touch targets, names; screenshots are kept."""

import re

import pytest
from conftest import keep, sign_in
from playwright.sync_api import Page, expect
from test_page import TYPED, home, in_hours, row, type_task  # noqa: F401 (home is a fixture)

SCHEMES = ["light", "dark"]

# Text against what lies under it, by WCAG 2.2: 4.5 to 1, large text 3 to 1. Switched-off controls are exempt.
CONTRAST = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => top.slice(0, 3).map((part, i) => part * top[3] + under[i] * (1 - top[3]));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => {
      const s = part / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const own = rgba(getComputedStyle(element).backgroundColor);
    if (own[3] === 1 || !element.parentElement) return over(own, [255, 255, 255]);
    return over(own, ground(element.parentElement));
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let checked = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    if (element.closest("[aria-disabled=true], noscript, option, .unseen, .receipt:not(.is-shown)")) continue;
    const style = getComputedStyle(element);
    const under = ground(element);
    const [a, b] = [light(over(rgba(style.color), under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    checked += 1;
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${walker.currentNode.data.trim()}: ${ratio.toFixed(2)}`);
  }
  return { found, checked };
}
"""

SMALL_TARGETS = """
() => [...document.querySelectorAll("button, input, select, textarea, a[href]")]
  .filter((element) => element.checkVisibility() && !element.closest(".receipt:not(.is-shown), .switch"))
  .map((element) => [element.getAttribute("aria-label") ?? element.textContent.trim() ?? element.id,
    element.getBoundingClientRect()])
  .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
  .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)
"""

# What must have a name: controls, and the parts of the page that a screen reader lists.
ROLES = "button|textbox|combobox|checkbox|dialog|region|complementary|heading"

SIDEWAYS = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"


@pytest.fixture
def full(server, home):
    """A list with everything that a row can show."""
    server.add("Send the figures to Martha", due_at=in_hours(-1), priority=4)
    server.add("Water the ferns", due_at=in_hours(-72), priority=1, project_id=home["id"], rrule="FREQ=DAILY")
    server.add("Return the library books before the weekend, all seven of them, and ask about the reading room",
               due_at="2020-02-03T15:00:00Z", project_id=home["id"])
    server.add("Book the train", due_at=in_hours(24 * 2), priority=3)
    server.add("לקנות חלב", due_at=in_hours(24 * 3))
    server.add("Dentist", due_at=in_hours(24 * 4), priority=2, deadline_at=in_hours(24 * 9))
    server.add("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2)
    server.add("Learn to sharpen knives", notes="On the whetstone")
    return server


def check(page: Page) -> None:
    assert page.evaluate(SIDEWAYS) == 0
    contrast = page.evaluate(CONTRAST)
    assert contrast["found"] == [] and contrast["checked"] > 0
    assert page.evaluate(SMALL_TARGETS) == []
    assert re.findall(rf'^\s*- (?:{ROLES})(?! ").*$', page.locator("body").aria_snapshot(), re.MULTILINE) == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [320, 360, 1280])
def test_every_part_of_the_page_fits_reads_and_has_a_name(visitor, full, width, scheme):
    context = visitor(width, 800 if width > 400 else 740, scheme)
    page = context.new_page()
    name = f"{scheme}-{width}"
    page.goto("/")
    expect(page.get_by_label("Password")).to_be_visible()
    check(page)
    keep(page, f"{name}-login")

    sign_in(page)
    expect(page.locator(".row")).to_have_count(8)
    check(page)
    keep(page, f"{name}-list", whole=True)

    type_task(page, TYPED)
    expect(page.locator(".receipt [role=status]")).to_contain_text("Added to Home")
    check(page)
    keep(page, f"{name}-added")

    row(page, "Dentist").get_by_role("button", name="Dentist", exact=True).click()
    expect(page.get_by_role("dialog", name="Task")).to_be_visible()
    check(page)
    keep(page, f"{name}-task")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("dialog").get_by_role("status")).not_to_be_empty()
    check(page)
    keep(page, f"{name}-account")
    page.get_by_role("dialog").get_by_role("button", name="Keys").click()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    check(page)
    keep(page, f"{name}-keys")
    page.keyboard.press("Escape")

    page.route("**/done", lambda route: route.fulfill(status=400, json={"error": "This task is held", "code": ""}))
    row(page, "Dentist").get_by_role("button", name="Done").click()
    expect(page.get_by_role("alert").filter(has_text="This task is held")).to_be_visible()
    check(page)
    keep(page, f"{name}-refused")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_an_empty_list_says_what_to_do(visitor, server, scheme):
    page = sign_in(visitor(360, 740, scheme).new_page())
    expect(page.get_by_text("Nothing to do.")).to_be_visible()
    check(page)
    keep(page, f"{scheme}-360-empty")
