import Domain
import Testing
import Time

@Suite("N-2, N-10 to N-18 Notifications of what is over target")
struct OverTargetTests {
    /// All points of a task in order, by asking for the next look as the scheduler does.
    func points(_ item: TaskItem, from now: Instant, count: Int) -> [Instant] {
        var points: [Instant] = []
        var now = now
        while points.count < count, let look = nextLook(at: item, now: now, prefs: prefs()) {
            points.append(look)
            now = look
        }
        return points
    }

    @Test(arguments: [
        // Golden cases 85 to 87, and the examples of N-10.
        (TaskItem.Priority.high, "8:07", "08:07", ["08:07", "08:22", "08:37"]),
        (.unset, "9:00:30", "09:00:30", ["09:01", "09:31"]),
        (
            .low, "Saturday", "2026-11-01 04:00Z",
            ["2026-11-01 04:00Z", "2026-11-01 08:00Z", "2026-11-01 12:00Z"]
        ),
        (.low, "9:00", "09:00", ["09:00", "13:00", "17:00"]),
        (.urgent, "spring", "2026-03-08 07:58Z", ["2026-03-08 07:58Z", "2026-03-08 08:03Z"]),
    ])
    func `N-10 N-11 the grid`(
        _ priority: TaskItem.Priority, _ name: String, _ target: String, _ expected: [String]
    ) {
        let item = task(1, priority, target: at(target))
        let before = at(target).adding(minutes: -600)
        #expect(points(item, from: before, count: expected.count) == expected.map { at($0) })
    }

    @Test func `N-10 an interval of a day's fraction meets the target's time again`() {
        let item = task(target: at("10-13 09:00"))
        #expect(points(item, from: at("08:45"), count: 2) == [at("09:00"), at("09:30")])
    }

    @Test func `N-10 N-52 without an interval there is one look, for the badge, and no notification`() {
        // Golden case 88.
        var item = task(1, .urgent, target: at("09:00"))
        item.repeatInterval = 0
        #expect(points(item, from: at("08:00"), count: 5) == [at("09:00")])
        #expect(nextPoint(target: at("09:00"), interval: 0, after: at("08:00")) == nil)
        let decision = check([item], lookAt: at("09:00"), now: at("09:00"))
        #expect(decision.alerts.isEmpty)
        #expect(decision.silent == [item.id])
        #expect(decision.nextLook[item.id] == .some(nil))
    }

    @Test func `N-19 nothing else is looked at`() {
        var quota = task(1, target: at("09:00"))
        quota.isTracked = true
        var done = task(1, target: at("09:00"))
        done.archivedAt = at("08:00")
        for item in [task(), reminder(), quota, done] {
            #expect(nextLook(at: item, now: at("08:00"), prefs: prefs()) == nil)
        }
    }

    func check(
        _ items: [TaskItem], lookAt: Instant, now: Instant, prefs: Preferences = prefs(), wouldMove: Int = 0
    ) -> OverTargetDecision {
        let facts = items.compactMap { OverTargetFact($0, lookAt: lookAt, prefs: prefs) }
        return overTargetCheck(
            facts, totals: OverTargetTotals(overTarget: items.count, sweepWouldMove: wouldMove), now: now,
            prefs: prefs)
    }

    @Test func `N-10 a point notifies in its minute`() {
        let item = task(1, .high, target: at("08:07"))
        let decision = check([item], lookAt: at("08:22"), now: at("08:22:59"))
        #expect(decision.alerts.map(\.n) == [1])
        #expect(decision.alerts.first?.target == at("08:07"))
        #expect(decision.nextLook[item.id] == at("08:37"))
        let late = check([item], lookAt: at("08:22"), now: at("08:23:00"))
        #expect(late.alerts.isEmpty)
        #expect(late.nextLook[item.id] == at("08:37"))
    }

    @Test func `N-12 a target that came during an outage gets exactly one, then its grid`() {
        // Golden case 93: Low, target 9:00, down 8:50-9:20.
        let item = task(1, .low, target: at("09:00"))
        let decision = check([item], lookAt: at("09:00"), now: at("09:20"))
        #expect(decision.alerts.map(\.n) == [0])
        #expect(decision.nextLook[item.id] == at("13:00"))
        // Three days off: one notification, not 864.
        let urgent = task(2, .urgent, target: at("10-11 14:20"))
        let long = check([urgent], lookAt: at("10-11 14:20"), now: at("14:22"))
        #expect(long.alerts.map(\.n) == [864])
        #expect(long.nextLook[urgent.id] == at("14:25"))
    }

    @Test func `N-12 points missed after the first are not sent later`() {
        let item = task(1, .low, target: at("09:00"))
        let decision = check([item], lookAt: at("13:00"), now: at("13:20"))
        #expect(decision.alerts.isEmpty)
        #expect(decision.silent == [item.id])
        #expect(decision.nextLook[item.id] == at("17:00"))
        // At the very next point the grid goes on.
        #expect(check([item], lookAt: at("13:00"), now: at("17:00")).alerts.map(\.n) == [2])
    }

    @Test func `N-12 a target that a person sets in the past waits for its next point`() throws {
        let item = try snoozedTask(task(1, .low, target: at("13:30")), .until(at("09:00")), now: at("14:20"))
            .task
        #expect(nextLook(at: item, now: at("14:20"), prefs: prefs()) == at("17:00"))
    }

    @Test func `N-13 a new priority counts from the same target`() {
        var item = task(1, .low, target: at("09:00"))
        #expect(nextLook(at: item, now: at("09:20"), prefs: prefs()) == at("13:00"))
        item.priority = .high
        #expect(nextLook(at: item, now: at("09:20"), prefs: prefs()) == at("09:30"))
    }

    @Test func `N-14 the order of a check`() {
        let items = [
            task(5, .low, target: at("09:00")), task(4, .low, target: at("05:00")),
            task(3, .urgent, target: at("09:00")), task(2, .low, target: at("05:00")),
        ]
        let decision = check(items, lookAt: at("09:00"), now: at("09:00"))
        #expect(decision.alerts.map(\.id.rawValue) == [3, 2, 4, 5])
    }

    struct Caps {
        var priorities: [TaskItem.Priority]
        var individually: [TaskItem.Priority]
        var summary: String?
    }

    @Test(arguments: [
        // Golden cases 89 to 92, and the example of N-15.
        Caps(
            priorities: Array(repeating: .unset, count: 6), individually: Array(repeating: .unset, count: 4),
            summary: "2 more tasks over target"),
        Caps(
            priorities: [.unset, .unset, .low, .low, .medium, .medium],
            individually: [.medium, .medium, .low, .low],
            summary: "2 more tasks over target"),
        Caps(
            priorities: Array(repeating: .urgent, count: 10),
            individually: Array(repeating: .urgent, count: 10),
            summary: nil),
        Caps(
            priorities: Array(repeating: .unset, count: 5) + Array(repeating: .high, count: 6),
            individually: Array(repeating: .high, count: 5) + Array(repeating: .unset, count: 4),
            summary: "2 more tasks over target"),
        Caps(
            priorities: Array(repeating: .unset, count: 6) + Array(repeating: .high, count: 7),
            individually: Array(repeating: .high, count: 5) + Array(repeating: .unset, count: 4),
            summary: "4 more tasks over target"),
        Caps(
            priorities: Array(repeating: .low, count: 5), individually: Array(repeating: .low, count: 4),
            summary: "1 more task over target"),
    ])
    func `N-15 caps and one summary`(_ row: Caps) {
        // Their own interval makes them all meet at one minute.
        let items = row.priorities.enumerated().map { index, priority in
            var item = task(Int64(index + 1), priority, target: at("09:00").adding(minutes: -index))
            item.repeatInterval = 1
            return item
        }
        let decision = check(items, lookAt: at("09:30"), now: at("09:30"))
        let byID = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        #expect(decision.alerts.compactMap { byID[$0.id]?.priority } == row.individually)
        #expect(decision.summary?.title == row.summary)
        #expect(decision.summarized.count == items.count - row.individually.count)
        // Of one priority, the oldest targets come first: the highest ids here.
        if Set(row.priorities).count == 1 {
            let ids = items.map(\.id).reversed().prefix(row.individually.count)
            #expect(decision.alerts.map(\.id) == Array(ids))
        }
    }

    @Test func `N-2 with notifications off the looks only move on`() {
        var off = prefs()
        off.notificationsEnabled = false
        let item = task(1, .high, target: at("09:00"))
        let decision = check([item], lookAt: at("09:00"), now: at("09:00"), prefs: off)
        #expect(decision.alerts.isEmpty)
        #expect(decision.summary == nil)
        #expect(decision.silent == [item.id])
        #expect(decision.nextLook[item.id] == at("09:15"))
    }

    @Test func `N-16 N-17 N-18 what it says and how`() throws {
        var prefs = prefs()
        prefs.criticalAlertVolume = 0.4
        let item = task(42, .medium, target: at("09:00"))
        let plain = try #require(
            check([item], lookAt: at("09:00"), now: at("09:00"), prefs: prefs, wouldMove: 3).alerts.first?
                .content)
        #expect(plain.title == "Task 42")
        #expect(plain.body == "Over target")
        #expect(plain.link == "/?task=42")
        #expect(plain.category == "TASK_REMINDER")
        #expect(plain.thread == "ot-tasks")
        #expect(plain.collapseID == "task-42")
        #expect(plain.tag == "task-42")
        #expect(plain.level == .active)
        #expect(plain.sound)
        #expect(plain.volume == nil)
        #expect(plain.badge == 1)
        #expect(plain.urgency == .normal)
        #expect(plain.ttlSeconds == 3600)
        #expect(plain.webActions.map(\.title) == ["Done", "+1hr"])
        #expect(
            plain.data == [
                "taskId": .int(42), "dueAt": .text("2026-10-14T14:00:00.000Z"), "priority": .int(2),
                "overdueCount": .int(3),
            ])

        func alert(_ item: TaskItem) throws -> Alert {
            let at = try #require(item.target)
            return try #require(check([item], lookAt: at, now: at, prefs: prefs).alerts.first?.content)
        }
        #expect(try alert(task(1, .high, target: at("09:00"))).level == .timeSensitive)
        let urgent = try alert(task(1, .urgent, target: at("09:00")))
        #expect(urgent.level == .critical)
        #expect(urgent.volume == 0.4)
        #expect(urgent.thread == "ot-urgent")
        #expect(urgent.urgency == .high)
        #expect(try alert(task(1, .low, target: at("09:00"))).ttlSeconds == 240 * 60)
        #expect(try alert(task(1, .low, target: at("09:00"), deadline: at("09:00"))).body == "Past deadline")
        var long = task(1, .low, target: at("09:00"))
        long.title = String(repeating: "x", count: 300)
        #expect(try alert(long).title == String(repeating: "x", count: 199) + "…")
    }

    @Test func `N-17 the summary`() throws {
        let items = (1...6).map { task($0, target: at("09:00")) }
        let summary = try #require(check(items, lookAt: at("09:00"), now: at("09:00")).summary)
        #expect(summary.body == "Open OpenTask to see them all")
        #expect(summary.link == "/?filter=overdue")
        #expect(summary.category == "TASK_SUMMARY")
        #expect(summary.thread == "ot-tasks")
        #expect(summary.collapseID == "overdue-summary")
        #expect(summary.data == ["overflowCount": .int(2), "totalOverdueCount": .int(6)])
    }
}
