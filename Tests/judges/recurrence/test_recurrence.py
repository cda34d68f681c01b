"""Domain R-5 to R-9, X-4, X-5 against python-dateutil and zoneinfo: 20,000 random triples of rule, zone and instant.

Dates: python-dateutil for rules whose days are skipped in short months; the definition itself (vectors.py, held to
dateutil there) for rules whose days are clamped, and for a few that dateutil would look for
to no end. Instants: zoneinfo. Ours come from Tests/RecurrenceAnswers.

The seed is new each day; OPENTASK_SEED repeats a run. What is known to differ is listed in docs/recurrence.md.
"""

import os
import pathlib
import random
import subprocess
import sys
import zoneinfo
from datetime import date, datetime, timedelta, timezone

import pytest
from dateutil.rrule import rrulestr

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from vectors import by_definition, random_rule  # noqa: E402

BINARIES = pathlib.Path(os.environ.get("OPENTASK_BIN", pathlib.Path(__file__).parents[3] / ".build" / "debug"))
SEED = int(os.environ.get("OPENTASK_SEED", date.today().toordinal()))
UTC = timezone.utc
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
AFTERWARDS = 3
pytestmark = pytest.mark.filterwarnings("ignore:Using both")  # a COUNT, and an end of our own
MINUTE = timedelta(minutes=1)

# With what each is here for.
ZONES = (
    "America/New_York", "Europe/Berlin",
    "Australia/Lord_Howe",      # changes by 30 minutes
    "Africa/Casablanca",        # winter time in Ramadan
    "Asia/Gaza",                # changes decreed from year to year
    "America/Santiago",         # midnight does not exist
    "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham", "Asia/Kolkata",
    "Pacific/Apia", "Asia/Tehran", "America/Sao_Paulo", "Europe/London", "Pacific/Auckland", "UTC",
)
TIMES = ("00:00", "00:00", "00:15", "00:30", "01:00", "01:30", "01:45", "02:00", "02:15", "02:30", "02:45", "03:00",
         "03:30", "07:00", "09:00", "12:00", "18:30", "23:00", "23:30", "23:59")
STARTS = (
    date(2024, 2, 29), date(2024, 1, 31), date(2023, 12, 31), date(2024, 3, 30), date(2023, 8, 30), date(2024, 1, 29),
)


def instant(day, time, zone):
    """X-4, X-5: fold=0 is the first of two; in a gap it is read with the offset before it, which moves it forward."""
    hour, minute = map(int, time.split(":"))
    local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone, fold=0)
    return local.astimezone(UTC)


def transitions(zone):
    """The instants at which the zone's clocks change, 2023 to 2037."""
    found, at = [], datetime(2023, 1, 1, tzinfo=UTC)
    step = timedelta(days=1)
    while at.year < 2038:
        if at.astimezone(zone).utcoffset() != (at + step).astimezone(zone).utcoffset():
            low, high = at, at + step
            while high - low > MINUTE:
                middle = low + (high - low) // 2
                same = middle.astimezone(zone).utcoffset() == low.astimezone(zone).utcoffset()
                low, high = (middle, high) if same else (low, middle)
            found.append(high.replace(second=0, microsecond=0))
        at += step
    return found


def horizon(start, after):
    """Both are asked until the end of this year; what a rule would do in 2100 is not looked for."""
    return max(start.year, after.year) + 12


def expected(parts, start, time, last_day, zone, after):
    """The next occurrences strictly after `after`."""
    first = after.astimezone(zone).date() - timedelta(days=2)
    # Every 7 days if it is a Monday: dateutil looks until the year 9999 when the first was a Tuesday.
    may_be_never = "INTERVAL" in parts and (
        parts["FREQ"] == "DAILY" and "BYDAY" in parts or parts["FREQ"] == "MONTHLY" and "BYMONTH" in parts)
    # The second of the one day that a month has: likewise.
    may_be_never |= abs(int(parts.get("BYSETPOS", 1))) > 1 and "," not in parts.get("BYDAY", parts.get("BYMONTHDAY", ""))
    if last_day or may_be_never:
        dates = by_definition(parts, start, max(first, start), last_day, horizon(start, after))
    else:
        # An end of our own: dateutil looks for what never comes until the year 9999.
        last = f"{horizon(start, after)}1231"
        ending = {**parts, "UNTIL": min(parts.get("UNTIL", last), last)}
        text = ";".join(f"{key}={value}" for key, value in ending.items())
        dates = []
        for at in rrulestr(text, dtstart=datetime(start.year, start.month, start.day)):
            if at.date() >= first:
                dates.append(at.date())
                if len(dates) == AFTERWARDS + 6:
                    break
    instants = [instant(day, time, zone) for day in dates]
    return [at for at in instants if at > after][:AFTERWARDS]


def question(r, changes):
    name = r.choice(ZONES)
    zone = zoneinfo.ZoneInfo(name)
    time = r.choice(TIMES)
    if changes[name] and r.random() < 0.6:
        change = r.choice(changes[name])
        after = change + timedelta(minutes=r.choice([0, -1, 1, -30, 30, -60, 60, *(r.randrange(-4320, 4320) for _ in range(9))]))
    else:
        after = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=r.randrange(14 * 525_600))
    parts = random_rule(r)
    if r.random() < 0.3:
        start = r.choice(STARTS)
        start = start.replace(year=start.year + 4 * r.randrange(max(1, (after.year - start.year) // 4 + 1)))
    else:
        start = after.astimezone(zone).date() - timedelta(days=r.choice([0, 1, r.randrange(60), r.randrange(800)]))
    if r.random() < 0.1 and "COUNT" not in parts:
        parts["UNTIL"] = (start + timedelta(days=r.randrange(1500))).strftime("%Y%m%d")
    return parts, start, time, r.random() < 0.33, name, after


def ask(questions):
    lines = []
    for parts, start, time, last_day, name, after in questions:
        rule = ";".join(f"{key}={value}" for key, value in parts.items())
        seconds = int((after - EPOCH).total_seconds())
        lines.append(f"{rule}\t{start}\t{time}\t{'last_day' if last_day else 'skip'}\t{name}\t{seconds}\t{AFTERWARDS}")
    done = subprocess.run(
        [BINARIES / "recurrence-answers"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines)
    return lines, answers


@pytest.fixture(scope="module")
def changes():
    return {name: transitions(zoneinfo.ZoneInfo(name)) for name in ZONES}


@pytest.mark.parametrize("part", range(8))
def test_random_rules_zones_and_instants(part, changes):
    r = random.Random(f"{SEED} {part}")
    questions = [question(r, changes) for _ in range(2500)]
    lines, answers = ask(questions)
    wrong = []
    for asked, line, answer in zip(questions, lines, answers):
        parts, start, time, last_day, name, after = asked
        wanted = [int((at - EPOCH).total_seconds()) for at in
                  expected(parts, start, time, last_day, zoneinfo.ZoneInfo(name), after)]
        # The definition gives the dates of a year when that year is over.
        last = int(datetime(horizon(start, after) - 1, 12, 29, tzinfo=UTC).timestamp())
        ours = answer if answer.startswith("!") else [int(at) for at in answer.split() if int(at) < last]
        if ours != [at for at in wanted if at < last]:
            wrong.append(f"{line}: ours {ours}, theirs {wanted}")
    assert not wrong, f"seed {SEED}, {len(wrong)} of {len(questions)}:\n" + "\n".join(wrong[:20])


def test_each_listed_zone_has_the_same_changes_as_the_judges_database(changes):
    """Both sides of every change of every zone, by a daily rule at each quarter of the hours around it."""
    questions = []
    for name, found in changes.items():
        zone = zoneinfo.ZoneInfo(name)
        for change in found:
            day = change.astimezone(zone).date()
            for time in ("00:00", "00:30", "01:30", "02:00", "02:15", "02:30", "03:00", "23:30"):
                questions.append(({"FREQ": "DAILY"}, day - timedelta(days=2), time, False, name,
                                  change - timedelta(hours=30)))
    lines, answers = ask(questions)
    wrong = []
    for asked, line, answer in zip(questions, lines, answers):
        wanted = " ".join(str(int((at - EPOCH).total_seconds())) for at in
                          expected(*asked[:4], zoneinfo.ZoneInfo(asked[4]), asked[5]))
        if wanted != answer:
            wrong.append(f"{line}: ours {answer}, theirs {wanted}")
    assert not wrong, f"{len(wrong)} of {len(questions)}:\n" + "\n".join(wrong[:20])


def test_a_rule_from_1900_is_answered_like_any_other():
    after = datetime(2026, 10, 14, 12, 0, tzinfo=UTC)
    questions = [
        ({"FREQ": frequency, "INTERVAL": "3"}, date(1900, 1, 31), "09:00", last_day, "Europe/Berlin", after)
        for frequency in ("DAILY", "WEEKLY", "MONTHLY", "YEARLY") for last_day in (False, True)
    ]
    lines, answers = ask(questions)
    for asked, line, answer in zip(questions, lines, answers):
        parts, start, time, last_day, name, _ = asked
        if last_day:
            dates = by_definition(parts, start, after.date(), True, 2040)
        else:
            rule = rrulestr(";".join(f"{k}={v}" for k, v in parts.items()), dtstart=datetime(1900, 1, 31))
            dates = [at.date() for at in rule.between(datetime(2026, 10, 13), datetime(2040, 1, 1))]
        wanted = [instant(day, time, zoneinfo.ZoneInfo(name)) for day in dates]
        wanted = [str(int((at - EPOCH).total_seconds())) for at in wanted if at > after][:AFTERWARDS]
        assert answer.split() == wanted, line
