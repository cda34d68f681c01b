public import Domain
import JSON
import SQLite
public import Time

/// What a webhook can be told (api section 5, A-13).
public enum WebhookEvent: String, CaseIterable, Sendable {
    case created = "task.created"
    case updated = "task.updated"
    case completed = "task.completed"
    case deleted = "task.deleted"
    case restored = "task.restored"
    case snoozed = "task.snoozed"
    case skipped = "task.skipped"
    case progressed = "task.progressed"
}

/// Where a person wants to be told of his changes (api 2.14).
public struct Webhook: Hashable, Sendable {
    public let id: Int64
    public let user: UserID
    public var url: String
    /// At least one, each once.
    public var events: [WebhookEvent]
    public var isActive: Bool
    /// 64 characters; its text is the key of the signatures.
    public let secret: String
    public let createdAt: Instant
    public var updatedAt: Instant

    static let columns = "id, user_id, url, events, active, secret, created_at, updated_at"

    init(row: Row) {
        id = row.int(0)
        user = UserID(rawValue: row.int(1))
        url = row.text(2)
        events = LabelList.decode(row.text(3)).compactMap(WebhookEvent.init(rawValue:))
        isActive = row.bool(4)
        secret = row.text(5)
        createdAt = Instant(seconds: row.int(6))
        updatedAt = Instant(seconds: row.int(7))
    }

    var eventList: String { LabelList.encode(events.map(\.rawValue)) }
}

extension Snapshot {
    /// In the order in which they were made.
    public func webhooks(of user: UserID) throws -> [Webhook] {
        try db.query(
            "SELECT \(Webhook.columns) FROM webhook WHERE user_id = ? ORDER BY id", [.int(user.rawValue)],
            row: Webhook.init(row:))
    }

    /// nil when there is none of this user's.
    public func webhook(_ id: Int64, of user: UserID) throws -> Webhook? {
        try db.first(
            "SELECT \(Webhook.columns) FROM webhook WHERE id = ? AND user_id = ?",
            [.int(id), .int(user.rawValue)], row: Webhook.init(row:))
    }
}

extension Transaction {
    /// A90.
    public func addWebhook(
        url: String, events: [WebhookEvent], secret: String, user: UserID
    ) throws -> Webhook? {
        try db.run(
            """
            INSERT INTO webhook (user_id, url, events, secret, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .int(user.rawValue), .text(url), .text(LabelList.encode(events.map(\.rawValue))),
                .text(secret), .int(now.seconds), .int(now.seconds),
            ])
        return try webhook(db.lastInsertRowID, of: user)
    }

    /// A91. What waits for one that is inactive now is dropped.
    ///
    /// - Returns: it as it is now.
    public func update(_ webhook: Webhook) throws -> Webhook {
        var webhook = webhook
        webhook.updatedAt = now
        try db.run(
            "UPDATE webhook SET url = ?, events = ?, active = ?, updated_at = ? WHERE id = ?",
            [
                .text(webhook.url), .text(webhook.eventList), SQLValue(webhook.isActive), .int(now.seconds),
                .int(webhook.id),
            ])
        if !webhook.isActive {
            try dropOutbox(of: webhook)
            try post(.dropWebhook(webhook.id), to: webhook.user)
        }
        return webhook
    }

    /// A92: its deliveries go too, waiting ones are dropped.
    public func remove(_ webhook: Webhook) throws {
        try db.run("DELETE FROM webhook WHERE id = ?", [.int(webhook.id)])
        try dropOutbox(of: webhook)
        try post(.forgetWebhook(webhook.id), to: webhook.user)
    }

    private func dropOutbox(of webhook: Webhook) throws {
        try db.run("DELETE FROM outbox WHERE webhook_id = ?", [.int(webhook.id)])
    }
}
