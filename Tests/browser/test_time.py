"""The page's own arithmetic of local times, held against Python's zoneinfo (domain X, T-13)."""

import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

# Both clock changes of New York, Lord Howe's half hour, a quarter-hour offset, and a zone without any change.
ZONES = ["America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Asia/Tokyo"]


@pytest.fixture(scope="module")
def script(browser, house):
    """Calls a function of /app/time.js."""
    page = browser.new_page(base_url=house.address)
    page.goto("/login")

    def call(name: str, *arguments):
        return page.evaluate(
            "async ([name, list]) => { const time = await import('./app/time.js');"
            " return list.map((arguments) => time[name](...arguments)); }", [name, list(arguments)])

    yield call
    page.close()


def ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def moments(zone: str) -> list[datetime]:
    """Whole minutes around every change of the clocks of two years, and a thousand elsewhere."""
    seed = 20261014
    picked = random.Random(seed)
    start = datetime(2026, 1, 1, tzinfo=timezone.utc)
    found = [start + timedelta(minutes=picked.randrange(2 * 365 * 1440)) for _ in range(1000)]
    place = ZoneInfo(zone)
    for hour in range(2 * 365 * 24):
        at = start + timedelta(hours=hour)
        if at.astimezone(place).utcoffset() != (at + timedelta(hours=1)).astimezone(place).utcoffset():
            found += [at + timedelta(minutes=minutes) for minutes in range(-180, 240, 5)]
    return found


def instant_of_wall(wall: datetime, zone: str) -> datetime:
    """X-4: zoneinfo's fold=0 in a gap uses the offset before it, which moves the time forward. X-5: fold=0 is first."""
    return wall.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(timezone.utc)


@pytest.mark.parametrize("zone", ZONES)
def test_a_typed_local_time_becomes_its_instant(script, zone):
    walls = [at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + shift
             for at in moments(zone) for shift in (timedelta(), timedelta(minutes=30))]
    got = script("fromInput", *[[wall.strftime("%Y-%m-%dT%H:%M"), zone] for wall in walls])
    assert got == [ms(instant_of_wall(wall, zone)) for wall in walls]


@pytest.mark.parametrize("zone", ZONES)
def test_an_instant_is_shown_as_its_local_time(script, zone):
    some = moments(zone)
    got = script("toInput", *[[ms(at), zone] for at in some])
    assert got == [at.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M") for at in some]
    got = script("timeOfDay", *[[ms(at), zone] for at in some])
    assert got == [at.astimezone(ZoneInfo(zone)).strftime("%-I:%M %p") for at in some]


@pytest.mark.parametrize("zone", ZONES)
def test_an_hour_is_rounded_by_the_local_minute(script, zone):
    """X-12."""
    def expected(at: datetime) -> int:
        minute = at.astimezone(ZoneInfo(zone)).minute
        start = at - timedelta(minutes=minute)
        return ms(start if minute < 35 else start + timedelta(hours=1))

    some = moments(zone)
    got = script("roundHour", *[[ms(at) + 59_999, zone] for at in some])
    assert got == [expected(at) for at in some]


@pytest.mark.parametrize("zone", ZONES)
def test_today_ends_at_the_next_local_midnight(script, zone):
    """X-7: 23, 24 or 25 hours."""
    some = moments(zone)
    got = script("nextMidnight", *[[ms(at), zone] for at in some])
    tomorrows = [at.astimezone(ZoneInfo(zone)).date() + timedelta(days=1) for at in some]
    assert got == [ms(instant_of_wall(datetime(day.year, day.month, day.day), zone)) for day in tomorrows]


CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 10, 14, 14, 20, tzinfo=CHICAGO)  # the Wednesday of the rules' examples


@pytest.mark.parametrize(("target", "label"), [
    ((2026, 10, 14, 17, 0), {"day": None, "time": "5:00 PM", "age": 0}),
    ((2026, 10, 15, 9, 0), {"day": "Tomorrow", "time": "9:00 AM", "age": 0}),
    ((2026, 10, 17, 9, 0), {"day": "Sat", "time": "9:00 AM", "age": 0}),
    ((2026, 10, 20, 9, 0), {"day": "Tue", "time": "9:00 AM", "age": 0}),
    ((2026, 10, 21, 9, 0), {"day": "Oct 21", "time": "9:00 AM", "age": 0}),
    ((2026, 10, 28, 9, 0), {"day": "Oct 28", "time": "9:00 AM", "age": 0}),
    ((2026, 10, 14, 14, 20), {"day": None, "time": "2:20 PM", "age": 0}),
    ((2026, 10, 14, 0, 0), {"day": None, "time": "12:00 AM", "age": 0}),
    ((2026, 10, 13, 23, 59), {"day": "Yesterday", "time": "11:59 PM", "age": 1}),
    ((2026, 10, 12, 12, 0), {"day": "Mon", "time": "12:00 PM", "age": 2}),
    ((2026, 10, 8, 9, 0), {"day": "Thu", "time": "9:00 AM", "age": 6}),
    ((2026, 10, 7, 9, 0), {"day": "Oct 7", "time": "9:00 AM", "age": 7}),
])
def test_labels_of_targets(script, target, label):
    """T-13, T-14."""
    due = datetime(*target, tzinfo=CHICAGO)
    assert script("targetLabel", [ms(due), ms(NOW), "America/Chicago"]) == [label]


def test_the_age_counts_local_dates(script):
    """T-14: target Sunday 23:50, now Wednesday 00:10."""
    due = datetime(2026, 10, 11, 23, 50, tzinfo=CHICAGO)
    now = datetime(2026, 10, 14, 0, 10, tzinfo=CHICAGO)
    assert script("targetLabel", [ms(due), ms(now), "America/Chicago"])[0]["age"] == 3


@pytest.mark.parametrize(("due", "now", "later"), [
    ((17, 0), (14, 20), (18, 0)),   # ahead: its own hour
    ((17, 20), (14, 20), (18, 20)),
    ((13, 0), (14, 20), (15, 0)),   # over target: a full hour from now
    ((13, 0), (14, 34), (15, 0)),
    ((13, 0), (14, 35), (16, 0)),
    (None, (14, 20), (15, 0)),      # undated
])
def test_an_hour_later(script, due, now, later):
    """S-3, option "60"; X-13."""
    at = lambda pair: ms(datetime(2026, 10, 14, *pair, tzinfo=CHICAGO))  # noqa: E731
    assert script("anHourLater", [due and at(due), at(now), "America/Chicago"]) == [at(later)]
