import Domain
import Testing
import Time

@Suite("N-30 to N-45 Other notifications")
struct AlertsTests {
    let now = at("14:20")

    func enriched(_ item: TaskItem, project: String = "Inbox", period: String? = nil) -> String {
        Alert.enriched(item, projectName: project, periodName: period, now: now, prefs: prefs()).body
    }

    @Test func `N-30 R-19 what was understood`() throws {
        // Golden cases 101 and 121.
        #expect(
            enriched(task(1, .high, target: at("10-15 09:00")), project: "Work")
                == "Added to Work · Tomorrow 9:00 AM · High")
        #expect(enriched(reminder(), period: "Evening") == "Added to Evening · Daily at 8:30 PM")
        #expect(enriched(task()) == "Added to Inbox")
        var anytime = task()
        anytime.isReminder = true
        #expect(enriched(anytime) == "Added to Anytime")
        var labelled = task()
        labelled.labels = ["home", "ai-added", "AI-monitored", "garden"]
        #expect(enriched(labelled) == "Added to Inbox · home, garden")
    }

    @Test(arguments: [(899, true), (900, false), (0, true)])
    func `N-30 only what is younger than 15 minutes`(_ age: Int64, _ tells: Bool) {
        // Golden case 100.
        let item = TaskItem(
            id: TaskItem.ID(rawValue: 1), owner: owner, project: inbox, title: "x",
            createdAt: now.adding(seconds: -age))
        #expect(tellsEnrichment(item, now: now, prefs: prefs()) == tells)
    }

    @Test func `N-30 N-33 not for what is done, gone, a quota, or switched off`() {
        let fresh = TaskItem(
            id: TaskItem.ID(rawValue: 1), owner: owner, project: inbox, title: "x", createdAt: now)
        var done = fresh
        done.done = true
        var trashed = fresh
        trashed.deletedAt = now
        var quota = fresh
        quota.isTracked = true
        #expect(!tellsEnrichment(done, now: now, prefs: prefs()))
        #expect(!tellsEnrichment(trashed, now: now, prefs: prefs()))
        #expect(!tellsEnrichment(quota, now: now, prefs: prefs()))
        #expect(!tellsFailedEnrichment(done, prefs: prefs()))
        #expect(!tellsFailedEnrichment(trashed, prefs: prefs()))
        #expect(tellsFailedEnrichment(quota, prefs: prefs()))
        var off = prefs()
        off.enrichmentNotificationsEnabled = false
        #expect(!tellsEnrichment(fresh, now: now, prefs: off))
        #expect(tellsFailedEnrichment(fresh, prefs: off))
        off.notificationsEnabled = false
        #expect(!tellsFailedEnrichment(fresh, prefs: off))
    }

    @Test func `N-31 without sound and badge`() {
        let alert = Alert.enriched(task(7), projectName: "Inbox", periodName: nil, now: now, prefs: prefs())
        #expect(alert.title == "Task 7")
        #expect(alert.category == "TASK_ADDED")
        #expect(alert.thread == "enriched-7")
        #expect(alert.collapseID == "enriched-7")
        #expect(alert.level == .active)
        #expect(!alert.sound)
        #expect(alert.silent)
        #expect(alert.badge == nil)
        #expect(alert.data == ["taskId": .int(7)])
    }

    @Test func `N-32 what could not be understood`() {
        // Golden case 102.
        var item = reminder(7)
        item.originalTitle = String(repeating: "t", count: 250)
        let alert = Alert.enrichmentFailed(item)
        #expect(alert.title == "AI couldn't process a reminder")
        #expect(alert.body == String(repeating: "t", count: 199) + "…")
        #expect(alert.collapseID == "ai-failed-7")
        #expect(alert.thread == "ai-failed-7")
        #expect(!alert.sound)
        #expect(Alert.enrichmentFailed(task()).title == "AI couldn't process a task")
        var quota = task()
        quota.isTracked = true
        #expect(Alert.enrichmentFailed(quota).title == "AI couldn't process a quota")
    }

    @Test func `N-35 N-37 the result of a sweep`() throws {
        // Golden case 103.
        let batch = [
            task(1, .low, target: at("13:00")), task(2, .high, target: at("13:00")),
            task(3, .urgent, target: at("13:00")),
        ]
        let result = try swept(batch, now: now)
        func alert(_ result: SweepResult, byToken: Bool = true, notify: Bool = true, _ prefs: Preferences)
            -> Alert?
        {
            .sweepResult(result, byToken: byToken, notify: notify, overTarget: 2, prefs: prefs)
        }
        let sent = try #require(alert(result, prefs()))
        #expect(sent.title == "Snoozed 1 task until 3:00 PM")
        #expect(sent.body == "1 High and 1 Urgent still over target. Snooze again to move the High one")
        #expect(sent.category == "TASK_SUMMARY")
        #expect(sent.thread == "ot-tasks")
        #expect(sent.collapseID == "sweep-result")
        #expect(!sent.sound)
        #expect(sent.badge == nil)
        #expect(
            sent.data == [
                "kind": .text("sweep-result"), "totalOverdueCount": .int(2), "overflowCount": .int(2),
                "priority": .int(4),
            ])
        #expect(alert(result, byToken: false, prefs()) == nil)
        #expect(alert(result, notify: false, prefs()) == nil)
        var off = prefs()
        off.sweepFeedbackEnabled = false
        #expect(alert(result, off) == nil)
        #expect(alert(try swept(Array(batch.prefix(1)), now: now), prefs()) == nil)
        #expect(alert(try swept(Array(batch.prefix(2)), now: now), prefs())?.data["priority"] == .int(3))
    }

    @Test func `N-38 snoozed to the deadline`() throws {
        // Golden case 104.
        let item = task(9, target: at("17:00"), deadline: at("17:30"))
        let snoozed = try snoozedTask(item, .option("60"), now: at("17:10"))
        #expect(snoozed.task.target == at("17:30"))
        #expect(snoozed.stoppedAtDeadline)
        let alert = try #require(
            Alert.snoozedToDeadline(snoozed.task, deadline: at("17:30"), now: at("17:10"), prefs: prefs()))
        #expect(alert.title == "Snoozed to deadline 5:30 PM")
        #expect(alert.body == "A quick snooze stops at the deadline")
        #expect(alert.collapseID == "deadline-9")
        #expect(alert.thread == "ot-tasks")
        #expect(alert.category == nil)
        #expect(alert.data.isEmpty)
        #expect(!alert.sound)
    }

    @Test func `N-40 what takes a banner away`() throws {
        let item = task(target: at("13:00"))
        let snoozed = try snoozedTask(item, .option("60"), now: now).task
        #expect(dismisses(before: item, after: snoozed, now: now))
        var done = item
        done.done = true
        done.completionCount = 1
        #expect(dismisses(before: item, after: done, now: now))
        var archived = item
        archived.archivedAt = now
        #expect(dismisses(before: item, after: archived, now: now))
        #expect(dismisses(before: item, after: try trash(item, now: now).get(), now: now))
        var renamed = item
        renamed.title = "x"
        #expect(!dismisses(before: item, after: renamed, now: now))
        // The first date of an undated task is no move.
        #expect(!dismisses(before: task(), after: task(target: at("17:00")), now: now))
        var cleared = item
        cleared.target = nil
        #expect(dismisses(before: item, after: cleared, now: now))
        // A considered reminder advances.
        var considered = reminder()
        considered.target = at("10-15 20:30")
        considered.completionCount = 1
        #expect(dismisses(before: reminder(), after: considered, now: now))
        var converted = item
        converted.isReminder = true
        #expect(dismisses(before: item, after: converted, now: now))
    }

    @Test func `N-40 U-8 undo dismisses only what is not over target afterwards`() {
        let late = task(target: at("13:00"))
        let ahead = task(target: at("17:00"))
        #expect(!undoDismisses(before: ahead, after: late, now: now))
        #expect(undoDismisses(before: late, after: ahead, now: now))
        var renamed = ahead
        renamed.title = "x"
        #expect(!undoDismisses(before: ahead, after: renamed, now: now))
    }

    @Test func `N-45 a test alert is what a check would send`() throws {
        let urgent = try #require(
            Alert.test(task(3, .urgent, target: now), overTarget: 1, now: now, prefs: prefs()))
        #expect(urgent.level == .critical)
        #expect(urgent.collapseID == "task-3")
        #expect(Alert.testSummary(count: 3, overTarget: 7).title == "3 more tasks over target")
    }
}
