import Domain
import Interfaces
import JSON
import SQLite
import Time

// A-13, api section 5: what the webhooks of whoever acted are told of a change, inside the change's transaction. A user
// without webhooks costs one look into an index.
extension Transaction {
    /// One message for each event and each active webhook of the actor's that lists it.
    func tellWebhooks(_ written: [Written], of change: Change) throws {
        guard change.isToldToWebhooks else { return }
        try tellWebhooks(written, actor: change.actor) { webhookEvents(of: $0, in: change) }
    }

    /// Undo and redo: `task.updated` for each item.
    func tellWebhooks(_ written: [Written], actor: UserID, trigger: String) throws {
        try tellWebhooks(written, actor: actor) { item in
            [WebhookNews(event: .updated, fields: item.fields, trigger: trigger)]
        }
    }

    private func tellWebhooks(
        _ written: [Written], actor: UserID, news: (Written) -> [WebhookNews]
    ) throws {
        let hooks = try webhooks(of: actor).filter(\.isActive)
        guard !hooks.isEmpty else { return }
        let wanted = Set(hooks.flatMap(\.events))
        for item in written where item.isChanged {
            for news in news(item) where wanted.contains(news.event) {
                let data = try data(of: news, item)
                for hook in hooks where hook.events.contains(news.event) {
                    let event = Push.WebhookEvent(
                        webhook: hook.id, url: hook.url, secret: hook.secret, event: news.event.rawValue,
                        data: data)
                    try post(.webhook(event), to: actor)
                }
            }
        }
    }

    private func data(of news: WebhookNews, _ item: Written) throws -> String {
        var writer = JSONWriter(capacity: 2048)
        let task = item.after
        if news.event == .deleted {
            writer.object { writer in
                writer.member("task_id", task.id.rawValue)
                writer.member("title", task.title)
            }
            return String(decoding: writer.bytes, as: UTF8.self)
        }
        let zone = try preferences(of: task.owner).zone
        writer.object { writer in
            writer.object("task") { task.write(to: &$0, zone: zone) }
            if news.event == .snoozed {
                writer.member("previous_due_at", item.before?.target?.iso8601)
            }
            if let fields = news.fields {
                writer.array("fields_changed") { writer in
                    for field in fields { writer.value(field.rawValue) }
                }
            }
            if let trigger = news.trigger { writer.member("trigger", trigger) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// One event about one item.
struct WebhookNews: Hashable {
    var event: WebhookEvent
    /// Of `task.updated`.
    var fields: [TaskField]?
    /// `undo` or `redo`.
    var trigger: String?
}

/// api section 5. An item that an action changes gives one event; a quota whose period is closed as met on the way gives
/// `task.completed` before it.
func webhookEvents(of item: Transaction.Written, in change: Change) -> [WebhookNews] {
    guard let before = item.before else { return [WebhookNews(event: .created)] }
    switch change.action {
    case .create: return [WebhookNews(event: .created)]
    case .delete, .bulkDelete: return [WebhookNews(event: .deleted)]
    case .restore: return [WebhookNews(event: .restored)]
    case .snooze, .bulkSnooze: return [WebhookNews(event: .snoozed)]
    case .skip: return [WebhookNews(event: .skipped)]
    case .undone: return [WebhookNews(event: .updated, fields: item.fields)]
    case .done, .bulkDone, .progress, .quotaPrompt:
        guard before.kind == .quota else {
            return item.completion == nil ? [] : [WebhookNews(event: .completed)]
        }
        let fell = movedCount(before, item.after) < 0
        return closedPeriod(item) + (fell && change.action == .bulkDone ? [] : progress(before, item.after))
    case .edit, .bulkEdit:
        return closedPeriod(item) + update(before, item, isUndoable: change.isUndoable)
    case .rollover: return closedPeriod(item)
    case .periodEdit, .periodDelete: return []  // reminders that follow a period: told by none (A45, A46)
    }
}

private func closedPeriod(_ item: Transaction.Written) -> [WebhookNews] {
    item.completion == nil ? [] : [WebhookNews(event: .completed)]
}

private func progress(_ before: TaskItem, _ after: TaskItem) -> [WebhookNews] {
    movedCount(before, after) == 0 ? [] : [WebhookNews(event: .progressed)]
}

/// By how much a quota's count moved; a period that began anew began at 0.
private func movedCount(_ before: TaskItem, _ after: TaskItem) -> Int {
    let isSamePeriod =
        before.progressPeriodStart == after.progressPeriodStart
        && before.completionCount == after.completionCount
    return after.progressCurrent - (isSamePeriod ? before.progressCurrent : 0)
}

/// What nobody outside needs to know is not told: marks of the day (A36, A40, A41), the queue's own labels (A27), and a
/// quota's period that ended without having been met.
private func update(
    _ before: TaskItem, _ item: Transaction.Written, isUndoable: Bool
) -> [WebhookNews] {
    var quiet: Set<TaskField> = [.segmentConsideredOn, .segmentDeferredOn, .quotaDayState]
    if !isUndoable, before.kind == .quota {
        quiet.formUnion([
            .progressCurrent, .progressPeriodStart, .completionCount, .firstCompletedAt, .lastCompletedAt,
        ])
    }
    let queue: Set<String> = [TaskItem.waitingLabel, "ai-failed"]
    if Set(before.labels).symmetricDifference(item.after.labels).isSubset(of: queue) { quiet.insert(.labels) }
    guard !quiet.isSuperset(of: item.fields) else { return [] }
    return [WebhookNews(event: .updated, fields: item.fields)]
}
