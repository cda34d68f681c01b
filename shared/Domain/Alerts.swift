// N-30 to N-38, N-45: notifications that are not about time.

public import Time

extension Alert {
    /// N-30, N-31: a text has been understood.
    ///
    /// - Parameters:
    ///   - projectName: for a task.
    ///   - periodName: for a reminder; nil: Anytime.
    public static func enriched(
        _ task: TaskItem, projectName: String, periodName: String?, now: Instant, prefs: Preferences
    ) -> Alert {
        var parts: [String] = []
        if task.kind == .reminder {
            parts.append("Added to \(periodName ?? "Anytime")")
        } else {
            parts.append("Added to \(projectName)")
            if let target = task.target { parts.append(targetLabel(target, now: now, zone: prefs.zone).text) }
        }
        if let word = task.priority.word { parts.append(word) }
        if let rule = recurrenceText(of: task, zone: prefs.zone) { parts.append(rule) }
        let labels = task.labels.filter { !SystemLabel.isReserved($0) }
        if !labels.isEmpty { parts.append(labels.joined(separator: ", ")) }
        return aboutEnrichment(
            task, id: "enriched-\(task.id.rawValue)", title: task.title,
            body: parts.joined(separator: " · "))
    }

    /// N-32: a text could not be understood.
    public static func enrichmentFailed(_ task: TaskItem) -> Alert {
        aboutEnrichment(
            task, id: "ai-failed-\(task.id.rawValue)", title: "AI couldn't process a \(task.kind.rawValue)",
            body: task.originalTitle ?? task.title)
    }

    private static func aboutEnrichment(_ task: TaskItem, id: String, title: String, body: String) -> Alert {
        var alert = Alert(
            title: title, body: body, link: link(task.id), category: "TASK_ADDED", thread: id, collapseID: id)
        alert.makeQuiet()
        alert.data = ["taskId": .int(task.id.rawValue)]
        return alert
    }

    /// N-35 to N-37: the result of a sweep, if it is to be sent at all.
    ///
    /// - Parameters:
    ///   - byToken: made with a Bearer token.
    ///   - notify: what the request said.
    ///   - overTarget: N-50 after the sweep.
    public static func sweepResult(
        _ result: SweepResult, byToken: Bool, notify: Bool, overTarget: Int, prefs: Preferences
    ) -> Alert? {
        guard byToken, notify, result.somethingHeldIsLeft, prefs.notificationsEnabled,
            prefs.sweepFeedbackEnabled
        else { return nil }
        var alert = Alert(
            title: result.title, body: result.body ?? "", link: overTargetLink, category: "TASK_SUMMARY",
            thread: "ot-tasks", collapseID: "sweep-result")
        alert.makeQuiet()
        alert.data = [
            "kind": .text("sweep-result"),
            "totalOverdueCount": .int(Int64(overTarget)),
            "overflowCount": .int(Int64(overTarget)),
            // Without it the sweep being reported would clear the report.
            "priority": .int(result.urgentLeft > 0 ? 4 : 3),
        ]
        return alert
    }

    /// N-38: a snooze from a notification stopped at the deadline. It has no `taskId`, or the dismissal of that same
    /// snooze would take it away.
    public static func snoozedToDeadline(
        _ task: TaskItem, deadline: Instant, now: Instant, prefs: Preferences
    ) -> Alert? {
        guard prefs.notificationsEnabled, prefs.sweepFeedbackEnabled else { return nil }
        var alert = Alert(
            title: "Snoozed to deadline \(untilText(deadline, now: now, zone: prefs.zone))",
            body: "A quick snooze stops at the deadline", link: link(task.id), category: nil,
            thread: "ot-tasks",
            collapseID: "deadline-\(task.id.rawValue)")
        alert.makeQuiet()
        return alert
    }

    /// N-45, `individual`, `high`, `urgent`, `critical`: the alert of a real test task, as a check would send it.
    public static func test(_ task: TaskItem, overTarget: Int, now: Instant, prefs: Preferences) -> Alert? {
        OverTargetFact(task, lookAt: now, prefs: prefs).map { fact in
            .overTarget(
                fact, totals: OverTargetTotals(overTarget: overTarget, sweepWouldMove: overTarget), now: now,
                prefs: prefs)
        }
    }

    /// N-45, `bulk`: a summary over `count` tasks.
    public static func testSummary(count: Int, overTarget: Int) -> Alert {
        overTargetSummary(
            count: count, totals: OverTargetTotals(overTarget: overTarget, sweepWouldMove: overTarget))
    }
}

/// N-30: whether a finished enrichment is told. Once per task: the mark is the caller's.
public func tellsEnrichment(_ task: TaskItem, now: Instant, prefs: Preferences) -> Bool {
    whyEnrichmentIsHeld(task, now: now, prefs: prefs) == nil
}

/// N-30: why a finished enrichment is not told; nil: it is.
public func whyEnrichmentIsHeld(_ task: TaskItem, now: Instant, prefs: Preferences) -> String? {
    if let reason = whyFailureIsHeld(task, prefs: prefs) { return reason }
    if !prefs.enrichmentNotificationsEnabled { return "notifications of finished texts are off" }
    if task.kind == .quota { return "quotas are not told" }
    return now.seconds(since: task.createdAt) < 15 * 60 ? nil : "the task is older than 15 minutes"
}

/// N-32, N-33: whether a failed enrichment is told.
public func tellsFailedEnrichment(_ task: TaskItem, prefs: Preferences) -> Bool {
    whyFailureIsHeld(task, prefs: prefs) == nil
}

/// N-32, N-33: why a failed enrichment is not told; nil: it is.
public func whyFailureIsHeld(_ task: TaskItem, prefs: Preferences) -> String? {
    if !prefs.notificationsEnabled { return "notifications are off" }
    if task.deletedAt != nil { return "the task is in the trash" }
    return task.done ? "the task is done" : nil
}

/// N-35: why the result of a sweep is not told although High, Urgent or past-deadline tasks are left; nil: it is, or there
/// is nothing to tell, or it was made on a page, which shows it.
public func whySweepResultIsHeld(
    _ result: SweepResult, byToken: Bool, notify: Bool, prefs: Preferences
) -> String? {
    guard byToken, result.somethingHeldIsLeft else { return nil }
    if !notify { return "whoever asked wanted none" }
    if !prefs.notificationsEnabled { return "notifications are off" }
    return prefs.sweepFeedbackEnabled ? nil : "notifications of bulk results are off"
}

extension TaskItem.Priority {
    /// `Low` … `Urgent`; nil for Unset.
    public var word: String? {
        switch self {
        case .unset: nil
        case .low: "Low"
        case .medium: "Medium"
        case .high: "High"
        case .urgent: "Urgent"
        }
    }
}
