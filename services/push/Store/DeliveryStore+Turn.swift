import Interfaces
import JSON
import SQLite
public import Time

extension DeliveryStore {
    public struct Turn: Sendable {
        /// To be sent now; marked as being sent.
        public var outgoing: [Outgoing]
        /// When to ask again at the latest, without anything new; nil: never.
        public var next: Instant?
    }

    /// Writes down how attempts ended and takes what is to be sent next: one transaction, one fsync.
    ///
    /// - Parameters:
    ///   - ended: attempts that `turn` gave out before, in the order of their ends.
    ///   - limit: how many may be given out now; 0 while stopping.
    ///   - perTarget: how many may be under way to one target.
    public func turn(_ ended: [Ended], limit: Int, perTarget: Int = 8, at now: Instant) throws -> Turn {
        try writer.write { database in
            for attempt in ended { try Recorder(database: database, now: now).record(attempt) }
            var turn = Turn(outgoing: [], next: nil)
            guard limit > 0 else { return turn }
            for target in try database.targetsWithDeliveries() {
                let scan = Scan(
                    database: database, now: now, room: limit - turn.outgoing.count, perTarget: perTarget)
                try scan.target(target)
                turn.outgoing += scan.outgoing
                if let next = scan.next { turn.next = min(turn.next ?? next, next) }
            }
            return turn
        }
    }
}

/// What an ended attempt changes.
private struct Recorder {
    let database: Database
    let now: Instant

    func record(_ attempt: Ended) throws {
        let outgoing = attempt.outgoing
        switch attempt.ending {
        case .sent(let status):
            try log(outgoing, .sent, nil, status)
            try setBadge(outgoing, isKnown: true)
            if outgoing.isSwapped { try correctEnvironment(outgoing.target) }
            try database.remove(outgoing.delivery)
        case .retry(let at, let status, let reason):
            try setBadge(outgoing, isKnown: false)
            try wait(outgoing, until: at, status, reason)
            try log(outgoing, .retrying, reason, status)
        case .swap(let status, let reason):
            try database.run("UPDATE delivery SET swapped = 1 WHERE id = ?", [.int(outgoing.delivery)])
            try wait(outgoing, until: now, status, reason)
            try log(outgoing, .retrying, reason, status)
        case .failed(let status, let reason):
            try setBadge(outgoing, isKnown: false)
            try log(outgoing, .failed, reason, status)
            try database.remove(outgoing.delivery)
        case .gone(let since, let status, let reason):
            try log(outgoing, .failed, reason, status)
            try database.remove(outgoing.delivery)
            // Who registered again after the device was found gone has it back.
            let isStillGone =
                try database.first(
                    "SELECT 1 FROM target WHERE id = ? AND registered_at <= ?",
                    [.int(outgoing.target.id), .int((since ?? now).seconds)], row: { _ in true }) ?? false
            if isStillGone { try database.remove(outgoing.target, because: "device gone", at: now) }
        case .interrupted:
            try database.run(
                "UPDATE delivery SET state = 'waiting', attempts = attempts - 1 WHERE id = ?",
                [.int(outgoing.delivery)])
        }
    }

    private func wait(_ outgoing: Outgoing, until at: Instant, _ status: Int?, _ reason: String) throws {
        try database.run(
            """
            UPDATE delivery SET state = 'waiting', next_attempt_at = ?, last_status = ?, last_reason = ? WHERE id = ?
            """, [.int(at.seconds), SQLValue(status), .text(reason), .int(outgoing.delivery)])
    }

    /// N-52: the number is remembered when it was sent, and forgotten when nobody knows.
    private func setBadge(_ outgoing: Outgoing, isKnown: Bool) throws {
        guard outgoing.target.hasBadge, let badge = outgoing.message.badge ?? outgoing.message.alert?.badge
        else {
            return
        }
        try database.run(
            "UPDATE target SET badge = ? WHERE id = ?",
            [isKnown ? .int(Int64(badge)) : .null, .int(outgoing.target.id)])
    }

    /// N-54: the other environment took it. Only if nobody has registered the device anew meanwhile.
    private func correctEnvironment(_ target: Target) throws {
        guard case .apns(_, _, let environment) = target.address else { return }
        try database.run(
            "UPDATE target SET environment = ? WHERE id = ? AND environment = ?",
            [.text(environment.other.rawValue), .int(target.id), .text(environment.rawValue)])
    }

    private func log(
        _ outgoing: Outgoing, _ outcome: Push.LogEntry.Outcome, _ reason: String?, _ status: Int?
    ) throws {
        // Its user may have been forgotten meanwhile, and then leaves no trace.
        guard
            try database.first(
                "SELECT 1 FROM delivery WHERE id = ?", [.int(outgoing.delivery)], row: { _ in true }) != nil
        else { return }
        try database.log(
            outgoing.message.user,
            Push.LogEntry(
                at: now, messageID: outgoing.message.id, kind: outgoing.message.kind.rawValue,
                channel: outgoing.target.channel, target: outgoing.target.label, outcome: outcome,
                reason: reason,
                status: status, attempts: outgoing.attempt))
    }
}

/// One target's deliveries, in order, until one must not leave yet.
private final class Scan {
    let database: Database
    let now: Instant
    /// How many more may be taken, of all targets.
    let room: Int
    /// How many may be under way to this target.
    let perTarget: Int
    var outgoing: [Outgoing] = []
    var next: Instant?

    /// How many rows are looked at; those behind must wait for one of these in any case, or for the next turn.
    private static let depth = 32

    init(database: Database, now: Instant, room: Int, perTarget: Int) {
        self.database = database
        self.now = now
        self.room = room
        self.perTarget = perTarget
    }

    private struct Candidate {
        var id: Int64
        var isSending: Bool
        var lane: String?
        var attempts: Int
        var nextAttemptAt: Instant
        var isSwapped: Bool
        var dropReason: String?
        var user: Int64
        var expiresAt: Instant
        var content: String
        var target: Target
    }

    func target(_ id: Int64) throws {
        // Rows that are dropped make room for rows that were out of sight.
        while try pass(over: try read(id)), outgoing.isEmpty {}
    }

    /// - Returns: whether any row was dropped.
    private func pass(over candidates: [Candidate]) throws -> Bool {
        var dropped = false
        var busyLanes: Set<String> = []
        var underWay = candidates.filter(\.isSending).count
        var isFirst = true
        for candidate in candidates {
            if candidate.isSending {
                guard let lane = candidate.lane else { return dropped }
                busyLanes.insert(lane)
                isFirst = false
                continue
            }
            if let reason = unwanted(candidate) {
                try drop(candidate, reason)
                dropped = true
                continue
            }
            guard candidate.nextAttemptAt <= now else {
                next = min(next ?? candidate.nextAttemptAt, candidate.nextAttemptAt)
                // Put off from the start, it holds up nobody; after a failure the push service has the pause it wants.
                guard candidate.attempts == 0 else { return dropped }
                if let lane = candidate.lane { busyLanes.insert(lane) }
                continue
            }
            if let lane = candidate.lane {
                defer { isFirst = false }
                guard busyLanes.insert(lane).inserted else { continue }
                guard underWay < perTarget, outgoing.count < room else { return dropped }
                if try take(candidate) { underWay += 1 } else { dropped = true }
            } else {
                guard isFirst, outgoing.count < room else { return dropped }
                if try take(candidate) { return dropped }
                dropped = true
            }
        }
        return dropped
    }

    private func read(_ target: Int64) throws -> [Candidate] {
        try database.query(
            """
            SELECT delivery.id, state, lane, attempts, next_attempt_at, swapped, drop_reason, message.user,
                expires_at, content, \(Target.columns)
            FROM delivery JOIN message ON seq = message_seq JOIN target ON target.id = delivery.target
            WHERE delivery.target = ? ORDER BY delivery.id LIMIT \(Scan.depth)
            """, [.int(target)]
        ) { row in
            Candidate(
                id: row.int(0), isSending: row.text(1) == "sending", lane: row.optionalText(2),
                attempts: Int(row.int(3)), nextAttemptAt: Instant(seconds: row.int(4)),
                isSwapped: row.bool(5),
                dropReason: row.optionalText(6), user: row.int(7), expiresAt: Instant(seconds: row.int(8)),
                content: row.text(9), target: Target(row: row, first: 10))
        }
    }

    /// Why a delivery that waits is not to be sent; empty: not worth a line in the log.
    private func unwanted(_ candidate: Candidate) -> String? {
        if let reason = candidate.dropReason { return reason }
        if candidate.user != candidate.target.user { return "device moved to another user" }
        if candidate.expiresAt <= now { return "expired" }
        return nil
    }

    /// - Returns: false if it was dropped instead.
    private func take(_ candidate: Candidate) throws -> Bool {
        guard let message = try? JSONCoding.decode(Push.Message.self, from: candidate.content.utf8) else {
            // Written by an older release in a form that is none any more: it must not hold up the others.
            try drop(candidate, "not readable")
            return false
        }
        // N-52: a number that the device shows already. In line, so that nothing on its way can still change it.
        if message.kind == .badge, message.badge == candidate.target.badge {
            try database.remove(candidate.id)
            return false
        }
        try database.run(
            "UPDATE delivery SET state = 'sending', attempts = attempts + 1 WHERE id = ?",
            [.int(candidate.id)])
        outgoing.append(
            Outgoing(
                delivery: candidate.id, target: candidate.target, message: message,
                expiresAt: candidate.expiresAt,
                attempt: candidate.attempts + 1, isSwapped: candidate.isSwapped))
        return true
    }

    private func drop(_ candidate: Candidate, _ reason: String) throws {
        if !reason.isEmpty {
            try database.run(
                """
                INSERT INTO log (user, at, message_id, kind, channel, target, outcome, reason, status, attempts)
                SELECT user, ?, id, kind, ?, ?, 'dropped', ?, NULL, ? FROM message
                WHERE seq = (SELECT message_seq FROM delivery WHERE id = ?)
                """,
                [
                    .int(now.seconds), .text(candidate.target.channel.rawValue),
                    .text(candidate.target.label),
                    .text(reason), SQLValue(candidate.attempts), .int(candidate.id),
                ])
        }
        try database.remove(candidate.id)
    }
}

extension Database {
    /// Ids of the targets that something waits for, by jumping from one to the next in the index.
    fileprivate func targetsWithDeliveries() throws -> [Int64] {
        try query(
            """
            WITH RECURSIVE step (target) AS (
                SELECT min(target) FROM delivery
                UNION ALL
                SELECT (SELECT min(target) FROM delivery WHERE target > step.target) FROM step
                WHERE step.target IS NOT NULL
            )
            SELECT target FROM step WHERE target IS NOT NULL
            """
        ) { $0.int(0) }
    }

    /// Ends a delivery, and its message with the last of its deliveries.
    func remove(_ delivery: Int64) throws {
        guard
            let message = try first(
                "DELETE FROM delivery WHERE id = ? RETURNING message_seq", [.int(delivery)],
                row: { $0.int(0) })
        else { return }
        try run(
            """
            DELETE FROM message WHERE seq = ?
            AND NOT EXISTS (SELECT 1 FROM delivery WHERE message_seq = message.seq)
            """, [.int(message)])
    }

    /// Removes a target and all that waits for it.
    func remove(_ target: Target, because reason: String, at now: Instant) throws {
        let deliveries = try query("SELECT id FROM delivery WHERE target = ? ORDER BY id", [.int(target.id)])
        {
            $0.int(0)
        }
        for delivery in deliveries {
            try run(
                """
                INSERT INTO log (user, at, message_id, kind, channel, target, outcome, reason, status, attempts)
                SELECT user, ?, message.id, kind, ?, ?, 'dropped', ?, NULL, attempts
                FROM delivery JOIN message ON seq = message_seq WHERE delivery.id = ?
                """,
                [
                    .int(now.seconds), .text(target.channel.rawValue), .text(target.label), .text(reason),
                    .int(delivery),
                ])
            try remove(delivery)
        }
        try run("DELETE FROM target WHERE id = ?", [.int(target.id)])
    }
}
