import Interfaces
import PushStore
import TestSupport
import Time

/// A store in a folder of its own, which goes with it. `reopen` is what a restart does.
final class TemporaryStore {
    private let folder = TemporaryFolder()
    private let path: String
    private(set) var store: DeliveryStore
    var now = Instant(seconds: 1_800_000_000)
    private var number = 0

    init(path: String? = nil) throws {
        self.path = path ?? folder.path + "/push.db"
        store = try DeliveryStore(path: self.path)
    }

    func reopen() throws {
        store = try DeliveryStore(path: path)
    }

    func message(_ kind: Push.Message.Kind, user: Int64 = 1, at: Instant? = nil) -> Push.Message {
        number += 1
        return Push.Message(id: "m\(number)", user: user, kind: kind, at: at ?? now)
    }

    func alert(_ task: Int64, user: Int64 = 1, badge: Int? = nil, at: Instant? = nil) -> Push.Message {
        var message = message(.alert, user: user, at: at)
        message.alert = Push.Alert(
            taskID: task, title: "Task \(task)", body: "Over target", link: "/?task=\(task)",
            thread: "ot-tasks",
            collapseID: "task-\(task)", badge: badge)
        return message
    }

    func badge(_ number: Int) -> Push.Message {
        var message = message(.badge)
        message.badge = number
        return message
    }

    func dismiss(_ tasks: Int64..., at: Instant? = nil) -> Push.Message {
        var message = message(.dismiss, at: at)
        message.dismiss = Push.Dismiss(taskIDs: tasks)
        return message
    }

    func accept(_ messages: Push.Message...) throws {
        try store.accept(messages.map { Incoming($0) }, configured: [.webpush, .apns], at: now)
    }

    func register(_ address: Target.Address, user: Int64 = 1) throws {
        var message = message(.register, user: user)
        message.registration = Push.Registration(channel: .webpush)
        try store.accept(
            [Incoming(message, address: address)], configured: [.webpush, .apns], at: now)
    }

    /// What leaves now.
    func next(limit: Int = 64) throws -> [Outgoing] {
        try store.turn([], limit: limit, at: now).outgoing
    }

    /// Ends attempts, without taking new ones.
    func end(_ outgoing: [Outgoing], _ ending: Ending = .sent(status: 201)) throws {
        _ = try store.turn(outgoing.map { Ended($0, ending) }, limit: 0, at: now)
    }

    /// Sends whatever there is until nothing is left; the ids in the order in which they left.
    func sendAll() throws -> [String] {
        var ids: [String] = []
        while true {
            let outgoing = try next()
            if outgoing.isEmpty { return ids }
            ids += outgoing.map(\.message.id)
            try end(outgoing)
        }
    }

    func log(user: Int64 = 1) throws -> [Push.LogEntry] {
        try store.log(of: user, limit: 1000)
    }
}

extension Target.Address {
    static func browser(_ name: String = "a", at host: String = "push.example.org") -> Target.Address {
        .webPush(
            endpoint: "https://\(host)/\(name)", p256dh: [UInt8](repeating: 4, count: 65),
            auth: [UInt8](repeating: 1, count: 16))
    }

    static func phone(
        _ token: String = "aa", bundle: String = "org.example.app",
        _ environment: Target.Environment = .production
    ) -> Target.Address {
        .apns(token: token, bundleID: bundle, environment: environment)
    }
}
