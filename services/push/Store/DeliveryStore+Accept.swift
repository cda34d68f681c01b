public import Interfaces
import JSON
import SQLite
public import Time

extension DeliveryStore {
    /// Takes messages in the given order, in one transaction: when this returns they are on disk.
    ///
    /// - Parameter configured: channels that can send; for the others a notification is logged as dropped (N-1).
    /// - Returns: how many deliveries were made.
    @discardableResult
    public func accept(_ messages: [Incoming], configured: Set<Push.Channel>, at now: Instant) throws -> Int {
        try writer.write { database in
            let intake = Intake(database: database, configured: configured, now: now)
            for incoming in messages { try intake.accept(incoming) }
            return intake.deliveries
        }
    }
}

/// One transaction of messages that come in.
private final class Intake {
    let database: Database
    let configured: Set<Push.Channel>
    let now: Instant
    var deliveries = 0

    init(database: Database, configured: Set<Push.Channel>, now: Instant) {
        self.database = database
        self.configured = configured
        self.now = now
    }

    func accept(_ incoming: Incoming) throws {
        let message = incoming.message
        let isNew = try database.run(
            "INSERT INTO received (id, received_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [.text(message.id), .int(now.seconds)])
        guard isNew == 1 else { return }
        if let refusal = incoming.refusal {
            try log(message, incoming.address?.label, .refused, refusal)
            return
        }
        switch message.kind {
        case .alert:
            guard let alert = message.alert else { return }
            try fanOut(message, to: alert.channels.filter { $0 != .widget }, lane: alert.collapseID)
        case .dismiss:
            guard let dismiss = message.dismiss else { return }
            try dropWaiting(dismiss, upTo: message.at)
            try fanOut(message, to: [.webpush, .apns], lane: nil)
        case .dismissAll:
            try fanOut(message, to: [.webpush, .apns], lane: nil)
        case .badge:
            try supersedeBadges(of: message.user)
            try fanOut(message, to: [.apns], lane: nil)
        case .register:
            guard let address = incoming.address else { return }
            try register(address, message)
        case .unregister:
            try unregister(message)
        case .forgetUser:
            try forget(message.user)
        case .webhook:
            guard let event = message.event else { return }
            try database.add(event, of: message, at: now)
        case .dropWebhook:
            guard let webhook = message.webhook else { return }
            try database.dropEvents(of: webhook, user: message.user)
        case .forgetWebhook:
            guard let webhook = message.webhook else { return }
            for table in ["webhook_event", "webhook_attempt"] {
                try database.run(
                    "DELETE FROM \(table) WHERE webhook = ? AND user = ?",
                    [.int(webhook), .int(message.user)])
            }
        }
    }

    /// A delivery to each target of the user's that this kind of message is for.
    private func fanOut(_ message: Push.Message, to channels: [Push.Channel], lane: String?) throws {
        let targets = try database.query(
            "SELECT \(Target.columns) FROM target WHERE user = ? ORDER BY id", [.int(message.user)]
        ) { Target(row: $0) }
        var sequence: Int64?
        for target in targets where channels.contains(target.channel) && wants(target, message) {
            guard configured.contains(target.channel) else {
                if message.kind == .alert {
                    try log(message, target.label, .dropped, "not configured", channel: target.channel)
                }
                continue
            }
            let seq = try sequence ?? insert(message)
            sequence = seq
            try database.run(
                "INSERT INTO delivery (message_seq, target, lane, next_attempt_at) VALUES (?, ?, ?, ?)",
                [.int(seq), .int(target.id), SQLValue(lane), .int(message.notBefore?.seconds ?? 0)])
            deliveries += 1
        }
        if message.kind == .alert, !targets.contains(where: { channels.contains($0.channel) }) {
            try log(message, nil, .dropped, "no device")
        }
    }

    private func wants(_ target: Target, _ message: Push.Message) -> Bool {
        switch message.kind {
        case .badge: return target.hasBadge
        case .dismiss, .dismissAll:
            // N-40: there every push must show something, and this one would show nothing.
            if case .webPush(let endpoint, _, _) = target.address {
                return !endpoint.lowercased().hasPrefix("https://web.push.apple.com/")
            }
            return true
        default: return true
        }
    }

    private func insert(_ message: Push.Message) throws -> Int64 {
        var lifetime: Int64 = 86_400
        if let alert = message.alert {
            // A time to live of 0 is the push service's affair: we try for a minute.
            lifetime = Int64(max(alert.ttlSeconds, 60))
        }
        let expiresAt = message.expiresAt ?? message.at.adding(seconds: lifetime)
        let content = String(decoding: try JSONCoding.encode(message), as: UTF8.self)
        try database.run(
            """
            INSERT INTO message (id, user, kind, at, expires_at, task_id, content) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(message.id), .int(message.user), .text(message.kind.rawValue), .int(message.at.seconds),
                .int(expiresAt.seconds), SQLValue(message.alert?.taskID), .text(content),
            ])
        return database.lastInsertRowID
    }

    /// N-41: what was decided about these tasks before, and has not left, is not wanted any more. A request that is
    /// under way cannot be called back, but is not repeated.
    private func dropWaiting(_ dismiss: Push.Dismiss, upTo at: Instant) throws {
        for task in dismiss.taskIDs {
            try database.run(
                """
                UPDATE delivery SET drop_reason = 'dismissed' WHERE message_seq IN
                    (SELECT seq FROM message WHERE task_id = ? AND kind = 'alert' AND at <= ?)
                """, [.int(task), .int(at.seconds)])
        }
    }

    /// Only the newest number counts.
    private func supersedeBadges(of user: Int64) throws {
        try database.run(
            """
            UPDATE delivery SET drop_reason = '' WHERE message_seq IN
                (SELECT seq FROM message WHERE user = ? AND kind = 'badge')
            """, [.int(user)])
    }

    /// A repeat moves the target to whoever registers it now; what still waits for its former user is dropped when
    /// its turn comes. The badge is forgotten, so that the next one is sent in any case (N-52).
    private func register(_ address: Target.Address, _ message: Push.Message) throws {
        switch address {
        case .webPush(let endpoint, let p256dh, let auth):
            try database.run(
                """
                INSERT INTO target (user, channel, endpoint, p256dh, auth, registered_at)
                VALUES (?, 'webpush', ?, ?, ?, ?)
                ON CONFLICT (endpoint) DO UPDATE SET user = excluded.user, p256dh = excluded.p256dh,
                    auth = excluded.auth, registered_at = excluded.registered_at
                """,
                [.int(message.user), .text(endpoint), .blob(p256dh), .blob(auth), .int(now.seconds)])
            try log(message, address.label, .registered, nil, channel: .webpush)
        case .apns(let token, let bundleID, let environment):
            try insert(.apns, token, bundleID, environment, nil, nil, message)
            try log(message, address.label, .registered, nil, channel: .apns)
        case .widget(let token, let bundleID, let environment, let platform, let kind):
            try insert(.widget, token, bundleID, environment, platform, kind, message)
            try log(message, address.label, .registered, nil, channel: .widget)
        }
    }

    private func insert(
        _ channel: Push.Channel, _ token: String, _ bundleID: String, _ environment: Target.Environment,
        _ platform: String?, _ kind: String?, _ message: Push.Message
    ) throws {
        try database.run(
            """
            INSERT INTO target
                (user, channel, device_token, bundle_id, environment, platform, widget_kind, registered_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (channel, device_token) DO UPDATE SET user = excluded.user, bundle_id = excluded.bundle_id,
                environment = excluded.environment, platform = excluded.platform,
                widget_kind = excluded.widget_kind, badge = NULL, registered_at = excluded.registered_at
            """,
            [
                .int(message.user), .text(channel.rawValue), .text(token), .text(bundleID),
                .text(environment.rawValue), SQLValue(platform), SQLValue(kind), .int(now.seconds),
            ])
    }

    /// A84: one's own subscription only; A86, A88: a device token by whoever knows it.
    private func unregister(_ message: Push.Message) throws {
        guard let registration = message.registration else { return }
        let target: Target?
        if registration.channel == .webpush {
            target = try database.first(
                "SELECT \(Target.columns) FROM target WHERE endpoint = ? AND user = ?",
                [SQLValue(registration.endpoint), .int(message.user)]
            ) { Target(row: $0) }
        } else {
            target = try database.first(
                "SELECT \(Target.columns) FROM target WHERE channel = ? AND device_token = ?",
                [.text(registration.channel.rawValue), SQLValue(registration.deviceToken?.lowercased())]
            ) { Target(row: $0) }
        }
        guard let target else { return }
        try log(message, target.label, .unregistered, nil, channel: target.channel)
        try database.remove(target, because: "unregistered", at: now)
    }

    private func forget(_ user: Int64) throws {
        try database.run(
            "DELETE FROM delivery WHERE target IN (SELECT id FROM target WHERE user = ?)", [.int(user)])
        try database.run(
            "DELETE FROM delivery WHERE message_seq IN (SELECT seq FROM message WHERE user = ?)", [.int(user)]
        )
        try database.run("DELETE FROM message WHERE user = ?", [.int(user)])
        try database.run("DELETE FROM target WHERE user = ?", [.int(user)])
        try database.run("DELETE FROM log WHERE user = ?", [.int(user)])
        try database.run("DELETE FROM webhook_event WHERE user = ?", [.int(user)])
        try database.run("DELETE FROM webhook_attempt WHERE user = ?", [.int(user)])
    }

    private func log(
        _ message: Push.Message, _ target: String?, _ outcome: Push.LogEntry.Outcome, _ reason: String?,
        channel: Push.Channel? = nil
    ) throws {
        try database.log(
            message.user,
            Push.LogEntry(
                at: now, messageID: message.id, kind: message.kind.rawValue,
                channel: channel ?? message.registration?.channel, target: target, outcome: outcome,
                reason: reason))
    }
}
