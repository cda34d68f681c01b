import Domain
import Testing
import Time

@Suite("N-45: test notifications; N-30 to N-35: why others are held")
struct TestNotificationTests {
    private let now = Instant(seconds: 1_800_000_000)
    private let prefs = Preferences(zone: Zone("America/Chicago").unsafelyUnwrapped)
    private let project = ProjectID(rawValue: 7)

    private func task(_ test: TestNotification) throws -> TaskItem {
        try create(
            test.draft(in: project, now: now), id: TaskItem.ID(rawValue: 5), owner: UserID(rawValue: 1),
            periods: [], defaultPeriod: nil, now: now, prefs: prefs
        ).get()
    }

    @Test(arguments: [
        (TestNotification.individual, TaskItem.Priority.unset, Alert.Level.active),
        (.high, .high, .timeSensitive), (.bulk, .unset, .active), (.urgent, .urgent, .critical),
        (.critical, .urgent, .critical),
    ])
    func `N-45: a task of a minute ago, told once at its level`(
        _ test: TestNotification, _ priority: TaskItem.Priority, _ level: Alert.Level
    ) throws {
        var prefs = prefs
        prefs.criticalAlertVolume = 0.4
        let task = try task(test)
        #expect(task.priority == priority && task.labels == ["test"] && task.repeatInterval == 0)
        #expect(task.target == now.adding(seconds: -60) && task.isOverTarget(at: now))
        #expect(nextPoint(target: now, interval: repeatInterval(of: task, prefs: prefs), after: now) == nil)
        let alert = try #require(test.alert(of: task, overTarget: 3, now: now, prefs: prefs))
        #expect(alert.level == level && alert.badge == 3)
        #expect(alert.volume == (level == .critical ? 0.4 : nil))
        #expect(alert.title == (test == .bulk ? "3 more tasks over target" : task.title))
        #expect(alert.category == (test == .bulk ? "TASK_SUMMARY" : "TASK_REMINDER"))
    }

    @Test func `N-30, N-32: what holds a banner of enrichment back is named`() throws {
        var task = try task(.individual)
        let soon = task.createdAt.adding(seconds: 60)
        #expect(whyEnrichmentIsHeld(task, now: soon, prefs: prefs) == nil)
        let late = task.createdAt.adding(seconds: 900)
        #expect(whyEnrichmentIsHeld(task, now: late, prefs: prefs)?.contains("15 minutes") == true)
        #expect(whyFailureIsHeld(task, prefs: prefs) == nil)
        var off = prefs
        off.enrichmentNotificationsEnabled = false
        #expect(whyEnrichmentIsHeld(task, now: soon, prefs: off)?.contains("finished texts") == true)
        #expect(whyFailureIsHeld(task, prefs: off) == nil)
        off.notificationsEnabled = false
        #expect(whyEnrichmentIsHeld(task, now: soon, prefs: off) == "notifications are off")
        #expect(whyFailureIsHeld(task, prefs: off) == "notifications are off")
        var quota = task
        quota.isTracked = true
        #expect(whyEnrichmentIsHeld(quota, now: soon, prefs: prefs)?.contains("quotas") == true)
        task.done = true
        #expect(whyFailureIsHeld(task, prefs: prefs)?.contains("done") == true)
        task.deletedAt = now
        #expect(whyFailureIsHeld(task, prefs: prefs)?.contains("trash") == true)
    }

    @Test func `N-35: what holds the result of a sweep back is named, and only where one was due`() throws {
        let left = try sweep(
            [try task(.urgent)], included: [], .option("60"), periods: [], now: now, prefs: prefs
        ).get()
        func why(_ prefs: Preferences, byToken: Bool = true, notify: Bool = true) -> String? {
            whySweepResultIsHeld(left, byToken: byToken, notify: notify, prefs: prefs)
        }
        #expect(why(prefs) == nil)
        #expect(why(prefs, byToken: false, notify: false) == nil)
        #expect(why(prefs, notify: false) != nil)
        var off = prefs
        off.sweepFeedbackEnabled = false
        #expect(why(off)?.contains("bulk results") == true)
        off.notificationsEnabled = false
        #expect(why(off) == "notifications are off")
        let nothing = try sweep([], included: [], .option("60"), periods: [], now: now, prefs: prefs).get()
        #expect(whySweepResultIsHeld(nothing, byToken: true, notify: true, prefs: off) == nil)
    }
}
