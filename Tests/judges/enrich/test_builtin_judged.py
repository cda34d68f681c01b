"""The built-in enricher, judged by phrases and by a rule engine that nobody here wrote (docs/spec/enrich.md, 4.2).

`recurrent` (PyPI, MIT) carries its test table; python-dateutil (PyPI) expands rules. Both are read where pip put them.
"""

import datetime
import importlib.util
import re
from pathlib import Path

import pytest
from dateutil.rrule import rrulestr
from processes import BINARY, CONTEXT, NAME, ROOT, Program, Talk, enrich, listen

pytestmark = pytest.mark.skipif(not BINARY.exists(), reason=f"not built: {BINARY}")

PARTS = {"freq", "interval", "byday", "bymonthday", "bymonth", "byhour", "byminute"}


@pytest.fixture(scope="module")
def builtin(tmp_path_factory):
    """A conversation with the built-in enricher."""
    run = tmp_path_factory.mktemp("run")
    (run / "enrichers").mkdir()
    path = run / "enrichers" / "builtin.sock"
    service = Program(
        [BINARY], "varlink:builtin", [listen(run / "enrich.sock"), listen(path)], {"OPENTASK_RUN": str(run)})
    service.start()
    yield Talk(path)
    service.stop()


def read(builtin, text, **context):
    return builtin.call(f"{NAME}.Enrich", enrich(text, **context))["parameters"]["result"]


def corpus():
    """The endless rules of a day and longer, of the subset of 1.3, in recurrent's own test table."""
    package = Path(importlib.util.find_spec("recurrent").origin).parent
    source = (package / "test.py").read_text()
    start, end = source.index("NOW ="), source.index("time_expressions = ")
    scope = {"datetime": datetime}
    exec(re.sub(r"\nclass ExpectedFailure.*?\n\n", "\n\n", source[start:end], flags=re.DOTALL), scope)
    for phrase, expected, *_ in scope["expressions"]:
        if isinstance(expected, dict) and not set(expected) - PARTS and expected.get("freq") in (
                "daily", "weekly", "monthly", "yearly"):
            yield phrase, expected


def parts(rule):
    found = {"INTERVAL": frozenset("1")}
    for part in rule.split(";"):
        name, value = part.split("=")
        found[name] = frozenset(value.split(","))
    return found


def test_at_least_105_of_recurrents_113_rules(builtin):
    rows = list(corpus())
    assert len(rows) == 113
    wrong = []
    for phrase, expected in rows:
        # Hours are the target's, not the rule's, in a task.
        wanted = {k.upper(): frozenset(str(v).upper().split(",")) for k, v in expected.items()
                  if k not in ("byhour", "byminute")}
        rule = read(builtin, f"Stuff {phrase}", now_local="2010-01-01T00:00").get("rrule")
        if not rule or parts(rule) != wanted:
            wrong.append((phrase, rule))
    assert len(rows) - len(wrong) >= 105, wrong


def golden():
    """Rows of 3.8 with a rule and a target."""
    for line in (ROOT / "docs" / "spec" / "enrich.md").read_text().splitlines():
        row = re.match(r"\| ([A-Z]\d+) \| ``(.*?)``( \[.*\])? \| .* \| .*\brr=(\S+)", line)
        if row and "t=" in line and not row[3]:
            yield pytest.param(row[2], row[4], id=row[1])


@pytest.mark.parametrize("text, expected", list(golden()))
def test_a_rules_target_is_its_first_occurrence_by_dateutil(builtin, text, expected):
    result = read(builtin, text)
    rule, target = result["rrule"], result["target"]
    first = datetime.datetime.fromisoformat(f"{target['date']}T{target.get('time') or '09:00'}")
    ours = list(rrulestr(rule, dtstart=first)[:10])
    assert ours[0] == first
    assert ours == list(rrulestr(expected, dtstart=first)[:10])
    # No earlier one lies between now and the target; the interval counts from the target.
    now = datetime.datetime.fromisoformat(CONTEXT["now_local"])
    every = ";".join(part for part in rule.split(";") if not part.startswith("INTERVAL="))
    start = datetime.datetime.combine(now.date(), first.time())
    earlier = [at for at in rrulestr(every, dtstart=start).between(now, first) if "starting" not in text]
    if "quarter" not in text:  # the beginning of the next quarter (3.4), though each month has a first
        assert earlier == []
