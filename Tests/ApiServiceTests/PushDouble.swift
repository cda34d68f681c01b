import Domain
import Interfaces
import Sockets
import Synchronization
import Varlink

/// A push service on its socket in the bench's folder, until it goes: says what it is told to say.
final class PushDouble {
    private let server: VarlinkServer
    private let log = Book<Push.LogEntry>()
    private let attempts = Book<Push.WebhookAttempt>()

    init(_ bench: Bench, devices: Int = 1) throws {
        let (log, attempts) = (log, attempts)
        var router = VarlinkRouter(vendor: "", product: "test", version: "", url: "")
        router.handle(Push.GetChannels.self) { _, _ in .init(subscriptions: 0, devices: devices) }
        router.handle(Push.GetLog.self) { parameters, _ in
            let wanted = Set(parameters.messages ?? [])
            return .init(entries: log.all.filter { wanted.contains($0.messageID ?? "") })
        }
        router.handle(Push.GetWebhookLog.self) { parameters, _ in
            .init(
                attempts: Array(
                    attempts.all.filter { $0.webhook == parameters.webhook }.prefix(parameters.limit)))
        }
        server = VarlinkServer(router, permit: VarlinkPermit.owner())
        server.serve(try ListeningSocket.unix(path: "\(bench.folder)/run/push.sock"))
    }

    deinit { server.drain(timeoutMilliseconds: 5000) }

    /// Newest first.
    func says(_ entries: [Push.LogEntry]) { log.set(entries) }
    func says(_ entries: [Push.WebhookAttempt]) { attempts.set(entries) }
}

private final class Book<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])
    var all: [Entry] { entries.withLock { $0 } }
    func set(_ new: [Entry]) { entries.withLock { $0 = new } }
}
