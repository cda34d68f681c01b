import Domain
import Interfaces
import JSON
import TestSupport
import Testing
import Time
import Varlink

@Suite("N-10 to N-15 The grid, through the store")
struct GridTests {
    /// When a task is told, if the scheduler wakes at each look, until `end`.
    private func told(_ house: Clockwork, _ id: Int64, until end: String) throws -> [Instant] {
        var told: [Instant] = []
        while let look = try house.bench.look(id), look <= .local(end) {
            house.bench.clock.set(look)
            try house.door.round(at: look)
            told += try house.bench.take().filter { $0.alert?.taskID == id }.map(\.at)
        }
        return told
    }

    @Test(
        arguments: [
            (3, "08:07", "08:45", ["08:07", "08:22", "08:37"]), (0, "09:00:30", "09:59", ["09:01", "09:31"]),
            (1, "09:00", "20:00", ["09:00", "13:00", "17:00"]),
            (4, "09:00", "09:12", ["09:00", "09:05", "09:10"]),
        ] as [(Int64, String, String, [String])])
    func `golden 85 and 86: at its target, then every interval`(
        _ priority: Int64, _ target: String, _ end: String, _ times: [String]
    ) throws {
        let house = try Clockwork()
        let id = try house.make(target, priority: priority)
        #expect(try told(house, id, until: end) == times.map { .local($0) })
    }

    @Test func `golden 87: elapsed time, across the end of DST`() throws {
        let house = try Clockwork(at: "10-31 20:00")
        let id = try house.make("10-31 23:00", priority: 1)
        let expected = ["2026-11-01T04:00:00.000Z", "2026-11-01T08:00:00.000Z", "2026-11-01T12:00:00.000Z"]
        #expect(try told(house, id, until: "11-01 06:00").map(\.iso8601) == expected)
    }

    @Test func `golden 93, N-12: after an outage one notification, then the grid goes on`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00", priority: 1)
        let messages = try house.round(at: "09:20")
        #expect(messages.compactMap(\.alert?.taskID) == [id])
        #expect(try house.bench.look(id) == .local("13:00"))
        #expect(try house.round(at: "13:00").count { $0.kind == .alert } == 1)
    }

    @Test
    func `N-12: three days off are one notification for each task whose target came meanwhile, not 864`()
        throws
    {
        let house = try Clockwork()
        let urgent = try house.make("09:00", priority: 4)
        let earlier = try house.make("08:30", priority: 4)
        #expect(try house.round(at: "08:30").count { $0.kind == .alert } == 1)
        let messages = try house.round(at: "10-17 12:02")
        #expect(messages.compactMap(\.alert?.taskID) == [urgent], "the other waits for its next point")
        #expect(try house.bench.look(urgent) == .local("10-17 12:05"))
        let next = try house.round(at: "10-17 12:05").compactMap(\.alert?.taskID)
        #expect(Set(next) == [urgent, earlier])
    }

    @Test func `N-12: a target that a person sets into the past waits for its next point`() throws {
        let house = try Clockwork(at: "10:10")
        let id = try house.make("09:00")
        #expect(try house.bench.look(id) == .local("10:30"))
        #expect(try house.round(at: "10:10").filter { $0.kind == .alert }.isEmpty)
        #expect(try house.round(at: "10:30").compactMap(\.alert?.taskID) == [id])
    }

    @Test func `U-8: a task that undo makes over target again notifies at its next point`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00")
        _ = try house.round(at: "09:00")
        house.bench.at("09:10")
        try house.bench.act("done", id, as: house.ann)
        #expect(try house.bench.look(id) == nil)
        try house.bench.undo(as: house.ann)
        #expect(try house.bench.look(id) == .local("09:30"))
    }

    @Test func `N-19: reminders, quotas, undated and finished tasks are never looked at`() throws {
        let house = try Clockwork()
        let bench = house.bench
        let done = try house.make("09:00")
        try bench.act("done", done, as: house.ann)
        let gone = try house.make("09:00")
        try bench.trash(gone, as: house.ann)
        for id in [
            try bench.make("r", ["is_reminder": true], by: house.ann).id,
            try bench.make("q", ["is_tracked": true, "rrule": "FREQ=DAILY"], by: house.ann).id,
            try bench.make("u", by: house.ann).id, done, gone,
        ] {
            #expect(try bench.look(id) == nil)
        }
        try bench.take()
        #expect(try house.round(at: "10-20 12:00").isEmpty)
        try bench.act("restore", gone, as: house.ann)
        #expect(try bench.look(gone) != nil)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0, 0, 0], 4, 2), ([0, 0, 1, 1, 2, 2], 4, 2), ([4, 4, 4, 4, 4, 4, 4, 4, 4, 4], 10, 0),
            ([0, 0, 0, 0, 0, 3, 3, 3, 3, 3, 3], 9, 2), ([0, 0, 0, 0, 3, 3, 3, 3, 3], 9, 0),
            ([0, 0, 0, 0, 0], 4, 1),
        ] as [([Int64], Int, Int)])
    func `golden 89 to 92: caps, and one summary for the rest`(
        _ priorities: [Int64], _ individually: Int, _ rest: Int
    ) throws {
        let house = try Clockwork()
        for priority in priorities { _ = try house.make("09:00", priority: priority) }
        let alerts = try house.round(at: "09:00").compactMap(\.alert)
        #expect(alerts.count { $0.category == "TASK_REMINDER" } == individually)
        let summaries = alerts.filter { $0.category == "TASK_SUMMARY" }
        #expect(
            summaries.map(\.title)
                == (rest == 0 ? [] : ["\(rest) more task\(rest == 1 ? "" : "s") over target"]))
        if let summary = summaries.first {
            #expect(alerts.last == summary)
            #expect(summary.body == "Open OpenTask to see them all")
            #expect(summary.link == "/?filter=overdue")
            #expect(summary.collapseID == "overdue-summary")
            let data: [String: JSONValue] = [
                "overflowCount": .int(Int64(rest)), "totalOverdueCount": .int(Int64(priorities.count)),
            ]
            #expect(summary.data == data)
        }
        // N-14: priority high to low, then oldest target, then id.
        let told = alerts.compactMap { $0.data["priority"]?.int }
        #expect(told == told.sorted(by: >))
        // N-5: the points of the summarized ones are told, too.
        #expect(try house.bench.count("notified") == priorities.count)
    }

    @Test func `a user's check is never torn apart, however few are asked for`() throws {
        let house = try Clockwork()
        let bob = try house.bench.add("bob")
        for _ in 1...3 { _ = try house.make("09:00") }
        for _ in 1...2 { _ = try house.make("09:00", by: bob) }
        let due = try house.door.due(at: .local("09:00"), limit: 1)
        #expect(due.map(\.user) == [house.ann.id.rawValue])
        #expect(due.map(\.facts.count) == [3])
        let all = try house.door.due(at: .local("09:00"), limit: 4)
        #expect(all.map(\.facts.count) == [3, 2])
        #expect(try house.door.due(at: .local("08:59")).isEmpty)
    }

    @Test func `the purge keeps marks for 30 days and events for one`() throws {
        let house = try Clockwork()
        _ = try house.make("09:00")
        _ = try house.round(at: "09:00")
        house.bench.advance(seconds: 86_400)
        _ = try house.door.client.call(ClockInterface.Purge.self, .init())
        #expect(try house.bench.count("event") == 1, "the one of 9:00 is a day old to the second")
        house.bench.advance(seconds: 1)
        _ = try house.door.client.call(ClockInterface.Purge.self, .init())
        #expect(try house.bench.count("event") == 0)
        #expect(try house.bench.count("notified") == 1)
        house.bench.advance(seconds: 29 * 86_400)
        _ = try house.door.client.call(ClockInterface.Purge.self, .init())
        #expect(try house.bench.count("notified") == 0)
    }
}
