public import Interfaces
import SQLite
public import Time

/// An event that is to be told now. It is marked as being sent.
public struct WebhookDelivery: Hashable, Sendable {
    var row: Int64
    /// The same in all attempts.
    public var id: String
    public var user: Int64
    public var event: Push.WebhookEvent
    /// This one included: 1 to 3.
    public var attempt: Int
}

/// How an attempt to tell a webhook ended.
public enum WebhookEnding: Hashable, Sendable {
    case delivered(status: Int)
    case failed(status: Int?, error: String)
    /// The service is stopping and nothing was answered: it waits again, as if never sent.
    case interrupted
}

/// An ended attempt.
public struct EndedWebhook: Sendable {
    public var delivery: WebhookDelivery
    /// The body as it was sent.
    public var payload: String
    public var ending: WebhookEnding
    /// When it was begun.
    public var at: Instant

    public init(_ delivery: WebhookDelivery, payload: String, _ ending: WebhookEnding, at: Instant) {
        self.delivery = delivery
        self.payload = payload
        self.ending = ending
        self.at = at
    }
}

extension DeliveryStore {
    /// Pauses between the three attempts, s (api section 5).
    public static let webhookPauses: [Int64] = [1, 5]
    /// How many further attempts to one webhook may be under way at once.
    static let webhookRetriesAtOnce = 4
    /// How many events may wait for one webhook; what comes on top is dropped with a line in its log.
    public static let webhookQueueLimit = 10_000

    public struct WebhookTurn: Sendable {
        /// To be sent now; marked as being sent.
        public var outgoing: [WebhookDelivery]
        /// When to ask again at the latest, without anything new; nil: never.
        public var next: Instant?
    }

    /// Writes down how attempts ended and takes those that are next: one transaction, one fsync.
    ///
    /// - Parameters:
    ///   - limit: how many may be given out now; 0 while stopping.
    ///   - resting: ids whose pause has not quite passed, for a clock of whole seconds cannot tell.
    public func webhookTurn(
        _ ended: [EndedWebhook], limit: Int, resting: Set<String> = [], at now: Instant
    ) throws -> WebhookTurn {
        try writer.write { database in
            for attempt in ended { try database.record(attempt, at: now) }
            guard limit > 0 else { return WebhookTurn(outgoing: [], next: nil) }
            var taken = try database.firstAttempts(limit: limit)
            taken += try database.furtherAttempts(limit: limit - taken.count, resting: resting, at: now)
            for delivery in taken {
                try database.run(
                    "UPDATE webhook_event SET state = 'sending' WHERE id = ?", [.int(delivery.row)])
            }
            let next = try database.first(
                "SELECT min(not_before) FROM webhook_event WHERE attempts > 0 AND not_before > ?",
                [.int(now.seconds)]
            ) { $0.optionalInt(0) }
            return WebhookTurn(outgoing: taken, next: (next ?? nil).map(Instant.init(seconds:)))
        }
    }

    /// The attempts of a user's webhook, newest first.
    public func webhookLog(
        of user: Int64, webhook: Int64, limit: Int, at now: Instant
    ) throws -> [Push.WebhookAttempt] {
        try readers.read { database in
            try database.query(
                """
                SELECT id, webhook, event, payload, status, error, attempt, at FROM webhook_attempt
                WHERE webhook = ? AND user = ? AND at >= ? ORDER BY id DESC LIMIT ?
                """,
                [
                    .int(webhook), .int(user), .int(now.seconds - DeliveryStore.webhookLogLifetime),
                    SQLValue(limit),
                ]
            ) { row in
                Push.WebhookAttempt(
                    id: row.int(0), webhook: row.int(1), event: row.text(2), payload: row.text(3),
                    status: row.optionalInt(4).map(Int.init), error: row.optionalText(5),
                    attempt: Int(row.int(6)), at: Instant(seconds: row.int(7)))
            }
        }
    }
}

extension Database {
    func add(_ event: Push.WebhookEvent, of message: Push.Message, at now: Instant) throws {
        let isFull =
            try first(
                "SELECT 1 FROM webhook_event WHERE webhook = ? LIMIT 1 OFFSET ?",
                [.int(event.webhook), SQLValue(DeliveryStore.webhookQueueLimit - 1)], row: { _ in true })
            ?? false
        guard !isFull else {
            try log(
                event, of: message.user, payload: "", status: nil,
                error: "Dropped: \(DeliveryStore.webhookQueueLimit) events wait for this webhook already",
                attempt: 1, at: now)
            return
        }
        try run(
            """
            INSERT INTO webhook_event (message_id, user, webhook, url, secret, event, data, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(message.id), .int(message.user), .int(event.webhook), .text(event.url),
                .text(event.secret), .text(event.event), .text(event.data), .int(message.at.seconds),
            ])
    }

    /// What waits goes; what is under way is not repeated.
    func dropEvents(of webhook: Int64, user: Int64) throws {
        try run(
            "DELETE FROM webhook_event WHERE webhook = ? AND user = ? AND state = 'waiting'",
            [.int(webhook), .int(user)])
        try run(
            "UPDATE webhook_event SET dropped = 1 WHERE webhook = ? AND user = ?",
            [.int(webhook), .int(user)])
    }

    fileprivate func record(_ ended: EndedWebhook, at now: Instant) throws {
        let delivery = ended.delivery
        let row: SQLValue = .int(delivery.row)
        let known = try first("SELECT dropped FROM webhook_event WHERE id = ?", [row]) { $0.bool(0) }
        // Its user may have been forgotten meanwhile, and then leaves no trace.
        guard let isDropped = known else { return }
        switch ended.ending {
        case .delivered(let status):
            try log(ended, status, nil)
            try run("DELETE FROM webhook_event WHERE id = ?", [row])
        case .failed(let status, let error):
            try log(ended, status, error)
            guard !isDropped, delivery.attempt <= DeliveryStore.webhookPauses.count else {
                try run("DELETE FROM webhook_event WHERE id = ?", [row])
                return
            }
            let pause = DeliveryStore.webhookPauses[delivery.attempt - 1]
            try run(
                "UPDATE webhook_event SET state = 'waiting', attempts = ?, not_before = ? WHERE id = ?",
                [SQLValue(delivery.attempt), .int(now.seconds + pause), row])
        case .interrupted:
            if isDropped {
                try run("DELETE FROM webhook_event WHERE id = ?", [row])
            } else {
                try run("UPDATE webhook_event SET state = 'waiting' WHERE id = ?", [row])
            }
        }
    }

    private func log(_ ended: EndedWebhook, _ status: Int?, _ error: String?) throws {
        try log(
            ended.delivery.event, of: ended.delivery.user, payload: ended.payload, status: status,
            error: error, attempt: ended.delivery.attempt, at: ended.at)
    }

    private func log(
        _ event: Push.WebhookEvent, of user: Int64, payload: String, status: Int?, error: String?,
        attempt: Int, at: Instant
    ) throws {
        try run(
            """
            INSERT INTO webhook_attempt (user, webhook, event, payload, status, error, attempt, at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(user), .int(event.webhook), .text(event.event), .text(payload), SQLValue(status),
                SQLValue(error), SQLValue(attempt), .int(at.seconds),
            ])
    }

    private static let columns = "id, message_id, user, webhook, url, secret, event, data, attempts"

    private func delivery(_ row: Row) -> WebhookDelivery {
        WebhookDelivery(
            row: row.int(0), id: row.text(1), user: row.int(2),
            event: Push.WebhookEvent(
                webhook: row.int(3), url: row.text(4), secret: row.text(5), event: row.text(6),
                data: row.text(7)),
            attempt: Int(row.int(8)) + 1)
    }

    /// The oldest event of each webhook that was not tried yet, unless its attempt is under way: it is then the one
    /// that the others of its webhook wait for. Jumps from webhook to webhook in the index.
    fileprivate func firstAttempts(limit: Int) throws -> [WebhookDelivery] {
        try query(
            """
            WITH RECURSIVE step (webhook) AS (
                SELECT min(webhook) FROM webhook_event WHERE attempts = 0
                UNION ALL
                SELECT (SELECT min(webhook) FROM webhook_event WHERE attempts = 0 AND webhook > step.webhook)
                FROM step WHERE step.webhook IS NOT NULL
            )
            SELECT \(Self.columns) FROM webhook_event WHERE state = 'waiting' AND id IN (
                SELECT (SELECT min(id) FROM webhook_event WHERE attempts = 0 AND webhook = step.webhook)
                FROM step WHERE webhook IS NOT NULL)
            ORDER BY id LIMIT ?
            """, [SQLValue(limit)], row: delivery)
    }

    fileprivate func furtherAttempts(
        limit: Int, resting: Set<String>, at now: Instant
    ) throws -> [WebhookDelivery] {
        let due = try query(
            """
            SELECT id, message_id, webhook, state = 'sending' FROM webhook_event
            WHERE attempts > 0 AND not_before <= ? ORDER BY not_before, id
            """, [.int(now.seconds)]
        ) { (row: $0.int(0), id: $0.text(1), webhook: $0.int(2), isSending: $0.bool(3)) }
        var underWay: [Int64: Int] = [:]
        for event in due where event.isSending { underWay[event.webhook, default: 0] += 1 }
        var taken: [WebhookDelivery] = []
        for event in due where !event.isSending && !resting.contains(event.id) {
            guard taken.count < limit else { break }
            guard underWay[event.webhook, default: 0] < DeliveryStore.webhookRetriesAtOnce else { continue }
            underWay[event.webhook, default: 0] += 1
            taken += try query(
                "SELECT \(Self.columns) FROM webhook_event WHERE id = ?", [.int(event.row)], row: delivery)
        }
        return taken
    }
}
