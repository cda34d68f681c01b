"""Writes vectors.txt beside it: random rules with the dates that two independent programs give.

Plain rules (`skip`): python-dateutil. Rules whose days are clamped to a month's end (`last_day`, domain R-9): the
definition itself, tried on every day, which is first checked against dateutil on the plain ones.

    python3 Tests/judges/recurrence/vectors.py [seed]
"""

import calendar
import random
import sys
from datetime import date, datetime, timedelta
from pathlib import Path

from dateutil.rrule import rrulestr

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
LENGTH = 8


def month_end(d):
    return calendar.monthrange(d.year, d.month)[1]


def by_definition(parts, start, first, last_day, horizon):
    """The rule's dates from `first` on, by asking of each day whether RFC 5545 names it."""
    frequency, interval = parts["FREQ"], int(parts.get("INTERVAL", 1))
    week_start = DAYS.index(parts.get("WKST", "MO"))
    months = [int(m) for m in parts["BYMONTH"].split(",")] if "BYMONTH" in parts else []
    month_days = [int(d) for d in parts["BYMONTHDAY"].split(",")] if "BYMONTHDAY" in parts else []
    days = [(int(d[:-2] or 0), DAYS.index(d[-2:])) for d in parts["BYDAY"].split(",")] if "BYDAY" in parts else []
    positions = [int(p) for p in parts["BYSETPOS"].split(",")] if "BYSETPOS" in parts else []
    if frequency == "WEEKLY" and not days:
        days = [(0, start.weekday())]
    if frequency in ("MONTHLY", "YEARLY") and not days and not month_days:
        month_days = [start.day]
        if frequency == "YEARLY" and not months:
            months = [start.month]

    def period(d):
        if frequency == "DAILY":
            return d.toordinal()
        if frequency == "WEEKLY":
            return (d.toordinal() - 1 - week_start) // 7
        return d.year * 12 + d.month if frequency == "MONTHLY" else d.year

    def named(d):
        if months and d.month not in months:
            return False
        end = month_end(d)
        if month_days and not any(
            (min(n, end) if last_day else n) == d.day if n > 0 else n + end + 1 == d.day for n in month_days
        ):
            return False
        if not days:
            return True
        in_month = frequency == "MONTHLY" or months
        length = end if in_month else 366 if calendar.isleap(d.year) else 365
        place = d.day if in_month else d.timetuple().tm_yday
        return any(
            w == d.weekday() and (n == 0 or n == (place + 6) // 7 or n == -((length - place) // 7 + 1))
            for n, w in days
        )

    result, group, group_period = [], [], None
    left = int(parts.get("COUNT", 10**9))
    until = datetime.strptime(parts["UNTIL"], "%Y%m%d").date() if "UNTIL" in parts else None
    base = period(start)
    d = {"MONTHLY": start.replace(day=1), "YEARLY": start.replace(month=1, day=1)}.get(
        frequency, start - timedelta(days=6) if frequency == "WEEKLY" else start)
    while d.year < horizon + 1:
        if period(d) != group_period:
            chosen = group
            if positions:
                chosen = [g for i, g in enumerate(group) if i + 1 in positions or i - len(group) in positions]
            for g in chosen:
                if g < start or (until and g > until):
                    continue
                if left == 0:
                    return result
                left -= 1
                if g >= first:
                    result.append(g)
                    if len(result) == LENGTH:
                        return result
            group, group_period = [], period(d)
        if period(d) >= base and (period(d) - base) % interval == 0 and named(d):
            group.append(d)
        d += timedelta(days=1)
    return result


def random_rule(r):
    frequency = r.choice(["DAILY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
    parts = {"FREQ": frequency}
    if r.random() < 0.5:
        parts["INTERVAL"] = str(r.choice([2, 2, 3, 4, 5, 7, 13]))
    if frequency == "WEEKLY" and r.random() < 0.3:
        parts["WKST"] = r.choice(DAYS)
    if r.random() < 0.25:
        parts["BYMONTH"] = ",".join(str(m) for m in sorted(r.sample(range(1, 13), r.randint(1, 4))))
    kind = r.random()
    if frequency != "WEEKLY" and kind < 0.4:
        values = [*range(1, 32), 29, 30, 31, 31, 30, -1, -2, -31]
        parts["BYMONTHDAY"] = ",".join(str(v) for v in dict.fromkeys(r.sample(values, r.randint(1, 3))))
    elif kind < 0.8:
        chosen = r.sample(DAYS, r.randint(1, 4))
        if frequency in ("MONTHLY", "YEARLY") and r.random() < 0.5:
            limit = 5 if frequency == "MONTHLY" or "BYMONTH" in parts else 50
            chosen = [f"{r.choice([1, 2, 3, 4, limit, -1, -2])}{d}" for d in chosen]
        parts["BYDAY"] = ",".join(chosen)
    if ("BYDAY" in parts or "BYMONTHDAY" in parts) and frequency in ("MONTHLY", "YEARLY") and r.random() < 0.25:
        parts["BYSETPOS"] = str(r.choice([1, 2, -1, -2]))
    end = r.random()
    if end < 0.15:
        parts["COUNT"] = str(r.randint(1, 12))
    return parts


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 5545
    r = random.Random(seed)
    lines = [f"# seed {seed}; rule | start | skip or last_day | from | the next {LENGTH} dates"]
    while len(lines) <= 600:
        parts = random_rule(r)
        start = date(r.randint(2015, 2026), 1, 1) + timedelta(days=r.randrange(365))
        first = start + timedelta(days=r.choice([0, 0, r.randrange(4000)]))
        if r.random() < 0.1 and "COUNT" not in parts:
            parts["UNTIL"] = (start + timedelta(days=r.randrange(3000))).strftime("%Y%m%d")
        rule = ";".join(f"{k}={v}" for k, v in parts.items())
        last_day = len(lines) % 2 == 0
        horizon = first.year + 60
        dates = by_definition(parts, start, first, last_day, horizon)
        if not last_day:
            judge = rrulestr(rule, dtstart=datetime(start.year, start.month, start.day))
            theirs = []
            for at in judge:
                if at.year > horizon or len(theirs) == LENGTH:
                    break
                if at.date() >= first:
                    theirs.append(at.date())
            assert theirs == dates, (rule, start, first, theirs, dates)
        if len(dates) < LENGTH and "COUNT" not in parts and "UNTIL" not in parts:
            continue  # ends at our horizon, which is nobody's rule
        mode = "last_day" if last_day else "skip"
        lines.append(f"{rule} | {start} | {mode} | {first} | {' '.join(map(str, dates))}")
    Path(__file__).with_suffix(".txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
