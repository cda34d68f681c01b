import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("enrich 1.3 Times, rules and kinds of a result")
struct QueueTimesTests {
    typealias Result = EnricherInterface.Result

    @Test(arguments: [
        // Typed and read at, the date, the target: 1.3.
        ("08:00", "2026-10-14", "09:00"), ("10:00", "2026-10-14", "11:00"), ("10:01", "2026-10-14", "12:00"),
        ("20:30", "2026-10-14", "22:00"), ("21:30", "2026-10-14", "22:00"), ("22:00", "2026-10-14", "23:00"),
        ("23:10", "2026-10-14", "10-15 00:10"), ("10:00", "2026-10-15", "10-15 09:00"),
        ("09:00", "2026-10-14", "10:00"),
    ])
    func `1.3: a date without a time is the morning, or an hour from now when that has passed`(
        _ now: String, _ date: String, _ target: String
    ) throws {
        let house = try QueueHouse()
        house.bench.at(now)
        let id = try house.type("x")
        try house.complete(try house.claimOne(), Result(title: "x", target: .init(date: date)))
        #expect(try house.bench.item(id).target == .local(target))
    }

    @Test func `1.3: wall times skipped in spring move forward, doubled ones in autumn are the first`() throws
    {
        let house = try QueueHouse()
        for (date, time, expected) in [
            ("2027-03-14", "02:30", "2027-03-14T08:30:00.000Z"),
            ("2026-11-01", "01:30", "2026-11-01T06:30:00.000Z"),
        ] {
            let id = try house.type("x")
            try house.complete(
                try house.claimOne(), Result(title: "x", target: .init(date: date, time: time)))
            #expect(try house.bench.item(id).target?.iso8601 == expected)
        }
    }

    @Test func `1.3: a target later than the deadline is dropped, the deadline kept with its own target`()
        throws
    {
        let house = try QueueHouse()
        let id = try house.type("x")
        let result = Result(
            title: "x", target: .init(date: "2026-10-25", time: "12:00"), deadline: .init(date: "2026-10-23"),
            priority: 2)
        try house.complete(try house.claimOne(), result)
        let task = try house.bench.get(id, as: house.ann)
        #expect(task["deadline_at"] == .local("10-23 23:59"))
        #expect(task["deadline_all_day"] == true)
        #expect(task["due_at"] == .local("10-20 09:00"))
        #expect(task["target_source"] == "auto")
        #expect(task["priority"] == 2)
    }

    @Test func `1.3: a rule that cannot be is dropped alone`() throws {
        let house = try QueueHouse()
        let id = try house.type("x")
        let result = Result(
            title: "y", target: .init(date: "2026-10-25", time: "12:00"), priority: 2, rrule: "FREQ=SOMETIMES"
        )
        try house.complete(try house.claimOne(), result)
        let item = try house.bench.item(id)
        #expect(item.title == "y" && item.priority == .medium && item.target == .local("10-25 12:00"))
        #expect(item.rrule == nil)
    }

    @Test func `a rule with and without a target`() throws {
        let house = try QueueHouse()
        let plain = try house.type("x")
        let rule = "FREQ=WEEKLY;BYDAY=MO"
        try house.complete(
            try house.claimOne(), Result(title: "x", rrule: rule, recurrenceMode: "from_completion"))
        let first = try house.bench.item(plain)
        #expect(first.target == .local("10-19 09:00"))
        #expect(first.recurrenceMode == .fromCompletion)
        let dated = try house.type("y")
        try house.complete(
            try house.claimOne(),
            Result(title: "y", target: .init(date: "2026-10-19", time: "15:00"), rrule: rule))
        let second = try house.bench.item(dated)
        #expect(second.target == .local("10-19 15:00"))
        #expect(second.anchorTime == LocalTime("15:00"))
    }

    @Test
    func `a quota gets its count and period, a reminder its rule; another kind than asked for is ignored`()
        throws
    {
        let house = try QueueHouse()
        let quota = try house.type("q", ["is_tracked": true, "rrule": "FREQ=DAILY"])
        let job = try house.claimOne()
        #expect(job.kind == "quota")
        try house.complete(
            job,
            Result(
                title: "Stretch", target: .init(date: "2026-10-20"), kind: "quota",
                quota: .init(target: 3, period: .week)))
        let item = try house.bench.item(quota)
        #expect(item.progressTarget == 3 && item.rrule == "FREQ=WEEKLY" && item.target == nil)

        let reminder = try house.type("r", ["is_reminder": true])
        let second = try house.claimOne()
        #expect(second.kind == "reminder" && second.hasSchedule)
        try house.complete(
            second,
            Result(
                title: "Think", target: .init(date: "2026-10-20"), rrule: "FREQ=DAILY;BYHOUR=20;BYMINUTE=30",
                kind: "reminder"))
        let thought = try house.bench.item(reminder)
        #expect(thought.rrule == "FREQ=DAILY;BYHOUR=20;BYMINUTE=30")
        #expect(try house.bench.take().compactMap(\.alert?.body) == ["Added to Evening · Daily at 8:30 PM"])

        for result in [
            Result(title: "t", kind: "reminder"),
            Result(title: "t", kind: "quota", quota: .init(target: 2, period: .day)),
        ] {
            let task = try house.type("t")
            try house.complete(try house.claimOne(), result)
            #expect(try house.bench.item(task).kind == .task)
        }
    }

    @Test func `1.6: wall times are read in the zone that the enricher was told`() throws {
        let house = try QueueHouse()
        let id = try house.type("x")
        let job = try house.claimOne()
        try house.bench.change("UPDATE user SET timezone = 'Asia/Tokyo'")
        try house.complete(job, Result(title: "x", target: .init(date: "2026-10-15", time: "15:00")))
        #expect(try house.bench.item(id).target == .local("10-15 15:00"))
    }

    @Test func `labels are merged, as they were first written; notes are appended`() throws {
        let house = try QueueHouse()
        _ = try house.bench.call("POST", "/api/labels", ["name": "Errands"], as: house.ann)
        let id = try house.type("x", ["notes": "mine"])
        try house.complete(
            try house.claimOne(), Result(title: "x", labels: ["errands", "New"], notes: "theirs"))
        let item = try house.bench.item(id)
        #expect(item.labels == ["Errands", "New"])
        #expect(item.notes == "mine\n\ntheirs")
    }
}
