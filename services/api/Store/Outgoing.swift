public import Domain
public import Interfaces
import JSON
import SQLite
public import Time

/// What leaves for the push service.
public enum Outgoing: Sendable {
    /// `taskID` when the message is pointless once that task has changed (N-41).
    case alert(Alert, about: TaskItem.ID?)
    case dismiss(tasks: [TaskItem.ID], periods: [Period.ID])
    case dismissAll
    case badge(Int)
    case register(Push.Registration)
    case unregister(Push.Registration)
    case webhook(Push.WebhookEvent)
    /// It is inactive.
    case dropWebhook(Int64)
    /// It is gone.
    case forgetWebhook(Int64)
}

/// A message of the outbox.
public struct OutboxMessage: Sendable {
    public let id: Int64
    /// JSON of `Push.Message`, its id left empty.
    public let body: String
}

extension Snapshot {
    /// The oldest messages that have not left.
    ///
    /// - Parameter characters: no more messages than begin within so many of text.
    public func outbox(limit: Int, characters: Int = .max) throws -> [OutboxMessage] {
        try db.query(
            """
            WITH head AS (SELECT id, length(body) AS n FROM outbox ORDER BY id LIMIT ?1),
                 place AS (SELECT id, sum(n) OVER (ORDER BY id) - n AS before FROM head)
            SELECT id, body FROM outbox JOIN place USING (id) WHERE before < ?2 ORDER BY id
            """, [SQLValue(limit), SQLValue(characters)]
        ) { OutboxMessage(id: $0.int(0), body: $0.text(1)) }
    }

    /// Whether a registration of the user's has not left yet.
    public func isRegistering(_ user: UserID) throws -> Bool {
        try db.first(
            """
            SELECT EXISTS (SELECT 1 FROM outbox WHERE json_extract(body, '$.kind') = 'register'
                AND json_extract(body, '$.user') = ?)
            """, [.int(user.rawValue)]
        ) { $0.bool(0) } ?? false
    }

    public func outboxCount() throws -> Int {
        Int(try db.first("SELECT count(*) FROM outbox") { $0.int(0) } ?? 0)
    }

    /// What makes the message ids of this database its own: another database's never equal them.
    public func instanceID() throws -> String? {
        try setting("instance")
    }

    public func setting(_ key: String) throws -> String? {
        try db.first("SELECT value FROM setting WHERE key = ?", [.text(key)]) { $0.text(0) }
    }
}

extension Transaction {
    /// Puts a message for a user's devices or webhooks into the outbox. It leaves after the commit, in this order, at
    /// least once.
    ///
    /// - Parameter notBefore: push keeps it until then; for alerts.
    /// - Returns: its number there.
    @discardableResult
    public func post(_ outgoing: Outgoing, to user: UserID, notBefore: Instant? = nil) throws -> Int64 {
        var message = Push.Message(id: "", user: user.rawValue, kind: .badge, at: now)
        message.notBefore = notBefore
        var task: TaskItem.ID?
        var webhook: Int64?
        switch outgoing {
        case .alert(let alert, let about):
            message.kind = .alert
            message.alert = Push.Alert(alert, about: about)
            message.expiresAt = now.adding(seconds: Int64(alert.ttlSeconds))
            task = about
        case .dismiss(let tasks, let periods):
            message.kind = .dismiss
            message.dismiss = Push.Dismiss(taskIDs: tasks.map(\.rawValue), slotIDs: periods.map(\.rawValue))
        case .dismissAll: message.kind = .dismissAll
        case .badge(let count):
            message.kind = .badge
            message.badge = count
        case .register(let registration):
            message.kind = .register
            message.registration = registration
        case .unregister(let registration):
            message.kind = .unregister
            message.registration = registration
        case .webhook(let event):
            message.kind = .webhook
            message.event = event
            webhook = event.webhook
        case .dropWebhook(let id):
            message.kind = .dropWebhook
            message.webhook = id
        case .forgetWebhook(let id):
            message.kind = .forgetWebhook
            message.webhook = id
        }
        let body = String(decoding: try JSONCoding.encode(message), as: UTF8.self)
        try db.run(
            "INSERT INTO outbox (task_id, droppable, webhook_id, body, at) VALUES (?, ?, ?, ?, ?)",
            [
                SQLValue(task?.rawValue), SQLValue(task != nil), SQLValue(webhook), .text(body),
                .int(now.seconds),
            ])
        return db.lastInsertRowID
    }

    /// The receiver has these; it drops any that come again.
    public func removeOutbox(_ ids: [Int64]) throws {
        for id in ids { try db.run("DELETE FROM outbox WHERE id = ?", [.int(id)]) }
    }

    public func setSetting(_ key: String, _ value: String) throws {
        try db.run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [.text(key), .text(value)])
    }
}

extension Push.Alert {
    /// The rule's content in the words of the interface.
    init(_ alert: Alert, about task: TaskItem.ID?) {
        let level: Level =
            switch alert.level {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            }
        let data = alert.data.mapValues { value -> JSONValue in
            switch value {
            case .int(let number): .int(number)
            case .text(let text): .string(text)
            }
        }
        self.init(
            taskID: task?.rawValue, title: alert.title, body: alert.body, link: alert.link,
            category: alert.category,
            thread: alert.thread, collapseID: alert.collapseID, level: level, sound: alert.sound,
            volume: alert.volume, badge: alert.badge, data: data,
            urgency: alert.urgency == .high ? .high : .normal,
            ttlSeconds: alert.ttlSeconds, silent: alert.silent, webActions: !alert.webActions.isEmpty,
            channels: alert.onWebPush ? [.webpush, .apns] : [.apns])
    }
}
