import ApiStore
import Crypto
import Domain
import Interfaces
import JSON
import Log
import Synchronization
import Time
import Varlink

/// Empties the outbox into the push service: at least once, in order.
///
/// 1. A message is in the outbox exactly when its transaction committed.
/// 2. It is removed only after push said that it has it durably. If this process dies in between, it is sent again
///    under the same id, and push drops it.
/// 3. Messages leave in the order of their commits; a batch that fails is tried again as a whole.
///
/// ```
///   commit ──► read oldest ──► Deliver ──accepted──► remove ──► more?
///                  ▲              └──failed──► wait (0.1 s … 30 s) ──┘
/// ```
final class Outbox: Sendable {
    private let store: Store
    private let clock: any Clock
    private let peer: PushPeer
    private let log: Logger
    private let failures = Atomic(0)
    private static let batch = 200
    /// Of a batch; a call has at most 16 MiB.
    private static let batchCharacters = 2 << 20

    init(_ parts: Parts) {
        store = parts.store
        clock = parts.clock
        peer = parts.push
        log = parts.log
    }

    /// Sends what is there.
    ///
    /// - Returns: milliseconds until the next try; nil when the outbox is empty.
    func turn() -> Int? {
        do {
            while try sendBatch() {}
            if failures.exchange(0, ordering: .relaxed) > 0 { log(.notice, "push takes messages again") }
            return nil
        } catch {
            let count = failures.wrappingAdd(1, ordering: .relaxed).newValue
            if count == 1 {
                log(.warning, "push does not take messages, they wait in the outbox", ["error": "\(error)"])
            }
            return min(30_000, 100 << min(count, 9))
        }
    }

    /// - Returns: whether there was anything to send.
    private func sendBatch() throws -> Bool {
        let (waiting, instance) = try store.read {
            (try $0.outbox(limit: Self.batch, characters: Self.batchCharacters), try $0.instanceID())
        }
        guard !waiting.isEmpty else { return false }
        let prefix = try instance ?? makeInstanceID()
        var numbers: [String: Int64] = [:]
        let messages = try waiting.map { row in
            var message = try JSONCoding.decode(Push.Message.self, from: row.body.utf8)
            message.id = Self.messageID(row.id, instance: prefix)
            numbers[message.id] = row.id
            return message
        }
        let accepted = try peer.deliver(messages)
        try store.write(at: clock) { try $0.removeOutbox(accepted.compactMap { numbers[$0] }) }
        guard accepted.count == messages.count else { throw NotAllAccepted() }
        return true
    }

    /// The id under which push knows a message of the outbox.
    static func messageID(_ number: Int64, instance: String) -> String { "\(instance)-\(number)" }

    private func makeInstanceID() throws -> String {
        try store.write(at: clock) { transaction in
            if let id = try transaction.instanceID() { return id }
            let made = SecureRandom.token(bytes: 9)
            try transaction.setSetting("instance", made)
            return made
        }
    }

    private struct NotAllAccepted: Error {}
}

/// The push service, as the api calls it.
public struct PushPeer: Sendable {
    private let client: VarlinkClient

    init(path: String) {
        client = VarlinkClient(path: path, timeoutMilliseconds: 10_000)
    }

    func deliver(_ messages: [Push.Message]) throws -> [String] {
        try client.call(Push.Deliver.self, .init(messages: messages)).accepted
    }

    /// What became of messages, newest first.
    func log(of user: UserID, messages: [String]) throws -> [Push.LogEntry] {
        let parameters = Push.GetLog.Parameters(user: user.rawValue, limit: 1000, messages: messages)
        return try client.call(Push.GetLog.self, parameters).entries
    }

    /// How many devices and browsers of the user's can be reached.
    func channelCount(of user: UserID) throws -> Int {
        let reply = try client.call(Push.GetChannels.self, .init(user: user.rawValue))
        return reply.subscriptions + reply.devices
    }

    /// The attempts of a webhook, newest first.
    func webhookLog(_ webhook: Webhook, limit: Int) throws -> [Push.WebhookAttempt] {
        let parameters = Push.GetWebhookLog.Parameters(
            user: webhook.user.rawValue, webhook: webhook.id, limit: limit)
        return try client.call(Push.GetWebhookLog.self, parameters).attempts
    }

    /// nil when push has none or does not answer: a page then offers no notifications.
    func vapidKey() -> String? {
        guard let reply = try? client.call(Push.GetVapidKey.self, .init()), reply.configured else {
            return nil
        }
        return reply.publicKey
    }

    func test(user: UserID, endpoint: String?) -> Push.TestWebPush.Reply {
        do {
            return try client.call(Push.TestWebPush.self, .init(user: user.rawValue, endpoint: endpoint))
        } catch {
            return .init(sent: false, reason: "The push service does not answer")
        }
    }
}
