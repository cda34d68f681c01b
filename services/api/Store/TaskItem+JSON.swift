public import Domain
public import JSON
public import Time

extension TaskItem {
    /// The members of an item on the wire (api 2.1), inside an object that is open.
    ///
    /// - Parameters:
    ///   - zone: the owner's, for `next_occurrence`.
    ///   - withDerived: `is_recurring` and `is_snoozed`, which A78 leaves out.
    public func write(to writer: inout JSONWriter, zone: Zone, withDerived: Bool = true) {
        writer.member("id", id.rawValue)
        writer.member("user_id", owner.rawValue)
        writer.member("project_id", project.rawValue)
        writer.member("title", title)
        writer.member("original_title", originalTitle)
        writer.member("short_title", shortTitle)
        writer.member("done", done)
        writer.member("done_at", doneAt?.iso8601)
        writer.member("priority", priority.rawValue)
        writer.member("due_at", target?.iso8601)
        writer.member("rrule", rrule)
        writer.member("recurrence_mode", recurrenceMode.rawValue)
        writer.member("anchor_time", anchorTime?.description)
        writer.member("anchor_dow", anchorWeekday)
        writer.member("anchor_dom", anchorDayOfMonth)
        writer.member("original_due_at", originalTarget?.iso8601)
        // Retired, always null (2.1); older clients decode them.
        writer.member("last_notified_at", nil as String?)
        writer.member("last_critical_alert_at", nil as String?)
        writer.member("auto_snooze_minutes", repeatInterval)
        writer.member("deleted_at", deletedAt?.iso8601)
        writer.member("archived_at", archivedAt?.iso8601)
        writer.array("labels") { writer in for label in labels { writer.value(label) } }
        writer.member("progress_target", progressTarget)
        writer.member("progress_current", progressCurrent)
        writer.member("progress_period_start", progressPeriodStart?.iso8601)
        writer.member("is_reminder", isReminder)
        writer.member("is_tracked", isTracked)
        writer.member("quota_prompt_config", json: quotaPromptConfig)
        writer.member("quota_day_state", json: quotaDayState)
        writer.member("completion_count", completionCount)
        writer.member("snooze_count", snoozeCount)
        writer.member("skip_count", skipCount)
        writer.member("first_completed_at", firstCompletedAt?.iso8601)
        writer.member("last_completed_at", lastCompletedAt?.iso8601)
        writer.member("notes", notes)
        writer.member("created_at", createdAt.iso8601)
        writer.member("updated_at", updatedAt.iso8601)
        if withDerived {
            writer.member("is_recurring", isRecurring)
            writer.member("is_snoozed", isSnoozed)
        }
        writer.member("deadline_at", deadline?.iso8601)
        writer.member("target_source", targetSource?.rawValue)
        writer.member("deadline_all_day", deadlineAllDay)
        writer.member("short_months", shortMonths.rawValue)
        writer.member("horizon", horizon?.rawValue)
        writer.member("segment_considered_on", segmentConsideredOn?.description)
        writer.member("segment_deferred_on", segmentDeferredOn?.description)
        writer.member("rrule_start", ruleStart?.description)
        writer.member("next_occurrence", nextOccurrence(of: self, zone: zone)?.iso8601)
        writer.member("version", version)
    }

    /// The item alone: in a list, for a webhook, and as the present resource of a version conflict.
    public func json(zone: Zone) -> [UInt8] {
        var writer = JSONWriter(capacity: 1536)
        writer.object { write(to: &$0, zone: zone) }
        return writer.bytes
    }
}
