import ApiStore
import Domain
import Interfaces
import JSON
import Time

/// What was decided about notifications, with what push made of it: an entry for each device that a notification went
/// to, one for each decision that sent nothing.
struct NoticeLog {
    let store: Store
    let peer: PushPeer
    let now: Instant

    struct Entry {
        var notice: Notice
        var device: String?
        var decision: String
        var reason: String
        /// nil: push does not answer.
        var attempts: Int?
        /// nil: there is none (yet).
        var answer: String?

        func write(to writer: inout JSONWriter) {
            writer.member("at", notice.at.iso8601)
            writer.member("kind", notice.kind)
            writer.member("task_id", notice.task?.rawValue)
            writer.member("device", device)
            writer.member("decision", decision)
            writer.member("reason", reason)
            writer.member("attempts", attempts)
            writer.member("answer", answer)
        }
    }

    /// Decisions that are looked up in push's log at once.
    private static let chunk = 50

    /// Newest first. Reads no more than it needs to reach `offset + limit`.
    func entries(of user: UserID, task: TaskItem.ID?, offset: Int, limit: Int) throws -> [Entry] {
        let instance = try store.read { try $0.instanceID() }
        var skipped = 0
        var entries: [Entry] = []
        var before: Int64?
        while entries.count < limit {
            let notices = try store.read {
                try $0.notices(of: user, task: task, before: before, limit: Self.chunk, now: now)
            }
            guard let last = notices.last else { break }
            before = last.id
            for entry in joined(notices, of: user, instance: instance) {
                if skipped < offset {
                    skipped += 1
                } else if entries.count < limit {
                    entries.append(entry)
                }
            }
        }
        return entries
    }

    private func joined(_ notices: [Notice], of user: UserID, instance: String?) -> [Entry] {
        var ids: [Int64: String] = [:]
        if let instance {
            for message in notices.compactMap(\.message) {
                ids[message] = Outbox.messageID(message, instance: instance)
            }
        }
        // try? : without push the decisions are still true; what became of them is left open
        let log = ids.isEmpty ? [] : try? peer.log(of: user, messages: Array(ids.values))
        let tries = log.map { Dictionary(grouping: $0) { $0.messageID ?? "" } }
        return notices.flatMap { notice in
            guard let id = notice.message.flatMap({ ids[$0] }), notice.decision == "sent" else {
                return [entry(notice, attempts: 0)]
            }
            guard let tries else { return [entry(notice, attempts: nil)] }
            return devices(notice, tries[id] ?? [])
        }
    }

    private func entry(_ notice: Notice, attempts: Int?) -> Entry {
        Entry(
            notice: notice, decision: notice.decision, reason: notice.reason, attempts: attempts)
    }

    /// - Parameter tries: newest first.
    private func devices(_ notice: Notice, _ tries: [Push.LogEntry]) -> [Entry] {
        guard !tries.isEmpty else { return [entry(notice, attempts: 0)] }
        var order: [String?] = []
        var byDevice: [String?: [Push.LogEntry]] = [:]
        for attempt in tries.reversed() {
            if byDevice[attempt.target] == nil { order.append(attempt.target) }
            byDevice[attempt.target, default: []].append(attempt)
        }
        return order.compactMap { device in
            guard let newest = byDevice[device]?.last else { return nil }
            let isDropped = newest.outcome == .dropped || newest.outcome == .refused
            let words = [newest.status.map(String.init), isDropped ? nil : newest.reason]
                .compactMap(\.self)
            return Entry(
                notice: notice, device: device, decision: isDropped ? "dropped" : notice.decision,
                reason: isDropped ? newest.reason ?? notice.reason : notice.reason,
                attempts: newest.attempts, answer: words.isEmpty ? nil : words.joined(separator: " "))
        }
    }
}
