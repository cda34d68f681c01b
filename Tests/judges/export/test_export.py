"""A64 as Python's own csv and json read it, and what it costs when it is long."""

import csv
import io
import json
import random
import re
import sqlite3
import urllib.request

COLUMNS = {
    "tasks": ["id", "title", "done", "priority", "due_at", "rrule", "project_id", "labels", "notes", "created_at",
              "updated_at", "is_recurring", "is_snoozed", "deleted_at", "archived_at", "deadline_at"],
    "projects": ["id", "name", "sort_order", "color", "active_count", "overdue_count", "created_at"],
}
# What spreadsheets run, what CSV quotes, what JSON escapes, and letters of all kinds.
PIECES = ["=", "+", "-", "@", "\t", "\r", "\n", "\r\n", '"', '""', ",", ";", "'", "\\", "a", " ", "ä", "日", "🏠", "é", "0"]


def fetch(house, query):
    request = urllib.request.Request(
        f"{house.url}/api/export{query}", headers={"Authorization": f"Bearer {house.bearer}"})
    return urllib.request.urlopen(request, timeout=60)


def table(house, kind):
    """The records, by the strictest reading that the csv module has."""
    with fetch(house, f"?format=csv&type={kind}") as answer:
        assert answer.headers["Content-Type"].startswith("text/csv")
        name = answer.headers["Content-Disposition"]
        assert re.fullmatch(rf'attachment; filename="opentask-{kind}-\d{{4}}-\d\d-\d\d\.csv"', name)
        text = answer.read().decode()
    assert text.endswith("\r\n")
    records = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert records[0] == COLUMNS[kind]
    return [dict(zip(records[0], record, strict=True)) for record in records[1:]]


def harmless(text):
    return "'" + text if text[:1] in tuple("=+-@\t\r") else text


def cell(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return harmless(str(value))


def test_a_csv_reader_finds_in_the_tables_what_json_says(house):
    luck = random.Random(64)
    for number in range(200):
        notes = "".join(luck.choices(PIECES, k=luck.randrange(1, 30)))
        title = luck.choice(["=SUM(A1)", "+1", "-1", "@home", "plain", '"quoted"', "a,b"]) + str(number)
        house.api.post("/api/tasks", {
            "title": title, "notes": notes, "enrich": False, "priority": number % 5,
            "labels": luck.sample(["=x", "home", "-y"], k=number % 4 % 3), "create_label": True,
            **({"due_at": "2030-01-01T09:00:00Z"} if number % 2 else {})})
        house.api.post("/api/projects", {"name": f"=P{number}"}) if number < 3 else None
    with fetch(house, "") as answer:
        assert answer.headers["Content-Type"] == "application/json"
        data = json.load(answer)["data"]
    assert set(data) == {"tasks", "projects", "completions", "exported_at"}
    listed = house.api.get("/api/tasks?limit=1000")["tasks"]
    assert sorted(data["tasks"], key=lambda task: task["id"]) == sorted(listed, key=lambda task: task["id"])

    for kind in COLUMNS:
        rows = table(house, kind)
        assert len(rows) == len(data[kind]) > 0
        for row, item in zip(rows, data[kind]):
            expected = {name: cell(item[name]) for name in COLUMNS[kind] if name != "labels"}
            if kind == "tasks":
                expected["labels"] = harmless(";".join(item["labels"]))
            assert row == expected
            assert all(value[:1] not in tuple("=+-@\t\r") for value in row.values())


def peak(house):
    """KiB of memory that the api has had at most."""
    status = open(f"/proc/{house.child('opentask-api')}/status").read()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


def test_a_long_export_is_whole_and_takes_the_memory_of_a_page(house):
    """45,000 tasks, more than 100 MB of JSON, to a reader who takes it bit by bit."""
    house.api.post("/api/tasks", {"title": "seed", "enrich": False})
    database = sqlite3.connect(house.state / "opentask.db", timeout=60)
    columns = [row[1] for row in database.execute("PRAGMA table_info(task)") if row[1] not in ("id", "notes")]
    names = ", ".join(columns)
    database.execute(
        f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000)
            INSERT INTO task (notes, {names})
            SELECT printf('%.*c', 1700, 'n'), {names} FROM n, (SELECT * FROM task ORDER BY id DESC LIMIT 1)""")
    database.commit()
    database.close()
    with fetch(house, "") as answer:  # whatever a first one needs once
        answer.read(1)
    before = peak(house)
    with fetch(house, "") as answer:
        pieces = []
        while piece := answer.read(65536):
            pieces.append(piece)
            if len(pieces) == 5:
                house.api.post("/api/tasks", {"title": "late", "enrich": False})
    text = b"".join(pieces)
    assert len(text) > 100_000_000
    titles = [task["title"] for task in json.loads(text)["data"]["tasks"]]
    assert titles.count("seed") == 45_001 and "late" not in titles
    assert peak(house) - before < 16_384
