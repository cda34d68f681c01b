import JSON
import Testing
import Time

@Suite("A97, R-16 A rule shown before a task has it")
struct RecurrencePreviewTests {
    private func preview(_ bench: Bench, _ body: JSONValue, as person: Bench.Person) throws -> Answer {
        try bench.call("POST", "/api/recurrence/preview", body, as: person)
    }

    private func occurrences(_ bench: Bench, _ body: JSONValue, as person: Bench.Person) throws -> [JSONValue]
    {
        let answer = try preview(bench, body, as: person)
        #expect(answer.status == 200, "\(answer.body ?? .null)")
        #expect(Set(try unwrap(answer.data.object).keys) == ["occurrences"])
        return answer["occurrences"].array ?? []
    }

    @Test func `three by itself, from now on, at the morning time`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        #expect(
            try occurrences(bench, ["rrule": "FREQ=DAILY"], as: ann) == [
                .local("10-15 09:00"), .local("10-16 09:00"), .local("10-17 09:00"),
            ])
        #expect(
            try occurrences(bench, ["rrule": "FREQ=DAILY;BYHOUR=20;BYMINUTE=30", "count": 1], as: ann) == [
                .local("20:30")
            ])
        #expect(try bench.count("undo") == 0)
    }

    @Test func `R-4, R-9: start, time and short months; the same instants that completing gives`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let body: JSONValue = [
            "rrule": "FREQ=MONTHLY;BYMONTHDAY=31", "start": "2026-10-31", "anchor_time": "08:00", "count": 4,
        ]
        let shown = try occurrences(bench, body, as: ann)
        #expect(
            shown == [
                .local("10-31 08:00"), .local("11-30 08:00"), .local("12-31 08:00"),
                .local("2027-01-31 08:00"),
            ])
        let id = try bench.make(
            "Rent", ["rrule": "FREQ=MONTHLY;BYMONTHDAY=31", "due_at": .local("10-31 08:00")], by: ann
        ).id
        for next in shown.dropFirst() {
            #expect(try bench.act("done", id, as: ann)["due_at"] == next)
        }
        guard case .object(var members) = body else { return }
        members["short_months"] = "skip"
        #expect(
            try occurrences(bench, .object(members), as: ann) == [
                .local("10-31 08:00"), .local("12-31 08:00"), .local("2027-01-31 08:00"),
                .local("2027-03-31 08:00"),
            ])
    }

    @Test func `R-8: from the completion`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for key in ["recurrence_mode", "mode"] {
            let body: [String: JSONValue] = [
                "rrule": "FREQ=WEEKLY;BYDAY=MO", key: "from_completion", "anchor_time": "07:00", "count": 2,
            ]
            #expect(
                try occurrences(bench, .object(body), as: ann) == [
                    .local("10-21 07:00"), .local("10-28 07:00"),
                ])
        }
    }

    @Test func `X-1: in the caller's own zone`() throws {
        let bench = try Bench()
        let eve = try bench.add("eve", zone: "Asia/Tokyo")
        // 00:00 on the 15th in Tokyo.
        #expect(
            try occurrences(bench, ["rrule": "FREQ=DAILY", "anchor_time": "00:30", "count": 1], as: eve) == [
                "2026-10-14T15:30:00.000Z"
            ])
    }

    @Test func `a start of long ago costs nothing; a rule that never comes has no occurrences`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        #expect(
            try occurrences(
                bench, ["rrule": "FREQ=WEEKLY;INTERVAL=2", "start": "1900-01-01", "count": 50], as: ann
            ).count == 50)
        // Counted by hand: 1900-01-01 was a Monday, and 2026-10-19 lies 6,616 weeks after it.
        #expect(
            try occurrences(
                bench, ["rrule": "FREQ=WEEKLY;INTERVAL=2", "start": "1900-01-01", "count": 1], as: ann) == [
                    .local("10-19 09:00")
                ])
        #expect(
            try occurrences(bench, ["rrule": "FREQ=DAILY;COUNT=3", "start": "1900-01-01"], as: ann) == [])
        #expect(
            try occurrences(
                bench, ["rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "short_months": "skip"], as: ann)
                == [])
    }

    @Test func `R-1: what is not supported is refused and named`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for (rrule, part) in [
            ("FREQ=DAILY;BYWEEKNO=3", "BYWEEKNO"), ("FREQ=DAILY;BYSECOND=1", "BYSECOND"),
            ("FREQ=HOURLY", "FREQ"), ("FREQ=DAILY;INTERVAL=1000", "INTERVAL"), ("FREQ=DAILY;X=1", "X"),
            ("THIS IS NOT AN RRULE", ""), ("", ""),
        ] {
            let answer = try preview(bench, ["rrule": .string(rrule)], as: ann)
            expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "rrule")
            #expect(answer.body?["error"]?.string?.contains(part) ?? false || part.isEmpty, "\(rrule)")
        }
        let wrong: [(JSONValue, String)] = [
            ([:], "rrule"), (["rrule": 7], "rrule"), (["rrule": "FREQ=DAILY", "count": 0], "count"),
            (["rrule": "FREQ=DAILY", "count": 51], "count"),
            (["rrule": "FREQ=DAILY", "start": "soon"], "start"),
            (["rrule": "FREQ=DAILY", "start": "1899-12-31"], "start"),
            (["rrule": "FREQ=DAILY", "anchor_time": "9:00"], "anchor_time"),
            (["rrule": "FREQ=DAILY", "recurrence_mode": "x"], "recurrence_mode"),
            (["rrule": "FREQ=DAILY", "short_months": "x"], "short_months"),
        ]
        for (body, culprit) in wrong {
            expectRefused(try preview(bench, body, as: ann), 400, "VALIDATION_ERROR", culprit: culprit)
        }
        expectRefused(
            try bench.call("POST", "/api/recurrence/preview", ["rrule": "FREQ=DAILY"]), 401, "UNAUTHORIZED")
        #expect(try bench.call("GET", "/api/recurrence/preview", as: ann).status == 405)
    }
}
