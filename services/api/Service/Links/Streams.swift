import ApiStore
import Domain
import HTTPServer
import Log
import Synchronization
import Time

/// The open event streams (api section 4). Follows the store: what was committed goes out in commit order, each event
/// to the streams of its user; an open stream costs no thread.
///
/// 1. An event is sent after its commit, never before.
/// 2. A stream is registered, and its missed events are read, under the lock under which new ones are read: none falls
///    between, none comes twice.
/// 3. Nothing is sent into a registered stream under the lock: a reader that is too slow is cut off by the send itself,
///    and a stream that ends asks for the lock to be taken off the list.
/// 4. One thread delivers, so each stream gets its events in their order.
public final class Streams: Sendable {
    private struct Listener {
        let stream: HTTPStream
        let caller: Caller
    }

    private struct State {
        var sent: Int64 = 0
        var next = 0
        var listeners: [UserID: [Int: Listener]] = [:]
    }

    /// `: heartbeat` every 30 s, so that proxies keep the connection and a dead one is noticed.
    private static let heartbeatSeconds: Int64 = 30
    /// Events that are replayed or delivered at once; whoever is further behind loads everything anew.
    private static let page = 500
    /// Bytes of them; a stream cuts off a reader that is 256 KiB behind.
    private static let pageBytes = 128 << 10

    private let store: Store
    private let clock: any Clock
    private let log: Logger
    private let state: Mutex<State>
    private let isBehind = Atomic(false)
    private let lastHeartbeat = Mutex<Instant>(Instant(seconds: 0))

    init(store: Store, clock: any Clock, log: Logger) {
        self.store = store
        self.clock = clock
        self.log = log
        // A store that does not answer now is reported by whatever asks it next; streams begin at its newest event.
        state = Mutex(State(sent: (try? store.read { try $0.lastEventID() }) ?? 0))
    }

    /// Opens a stream.
    ///
    /// - Parameter after: the `Last-Event-ID` of a reconnect.
    func open(for caller: Caller, after: String?) throws -> HTTPStream {
        let stream = HTTPStream()
        let number = try state.withLock { state -> Int in
            // While nobody listened nobody followed: what was committed meanwhile is behind this stream, not before it.
            if state.listeners.isEmpty { state.sent = try store.read { try $0.lastEventID() } }
            state.next += 1
            let number = state.next
            _ = stream.send(Array("data: {\"type\":\"connected\"}\n\n".utf8))
            if let after { try replay(after, to: stream, caller, upTo: state.sent) }
            state.listeners[caller.id, default: [:]][number] = Listener(stream: stream, caller: caller)
            return number
        }
        stream.onClose { [weak self] in
            self?.state.withLock { state in
                state.listeners[caller.id]?[number] = nil
                if state.listeners[caller.id]?.isEmpty == true { state.listeners[caller.id] = nil }
            }
        }
        return stream
    }

    /// What was missed since `after`, or one `resync` when that is not known any more.
    private func replay(_ after: String, to stream: HTTPStream, _ caller: Caller, upTo last: Int64) throws {
        let missed = try store.read { snapshot -> [StoredEvent]? in
            guard let id = Int64(after), try snapshot.canResume(after: id) else { return nil }
            return try snapshot.events(after: id, of: caller.id, limit: Self.page + 1).filter {
                $0.id <= last
            }
        }
        _ = stream.send(missed.map { Self.text($0, last: last) } ?? Self.resync(last))
    }

    /// Sends what was committed since the last turn, and heartbeats.
    ///
    /// - Returns: milliseconds until the next heartbeat; nil while nobody listens.
    func turn() -> Int? {
        do {
            for (stream, text) in try state.withLock({ try news(&$0) }) { _ = stream.send(text) }
        } catch {
            if !isBehind.exchange(true, ordering: .relaxed) {
                log(
                    .error, "events could not be read, open pages are behind: see the database",
                    ["error": "\(error)"])
            }
            return 1000
        }
        if isBehind.exchange(false, ordering: .relaxed) { log(.notice, "events can be read again") }
        return heartbeat()
    }

    /// What each open stream has not had yet. All of it is read from one state of the store.
    private func news(_ state: inout State) throws -> [(stream: HTTPStream, text: [UInt8])] {
        var news: [(stream: HTTPStream, text: [UInt8])] = []
        try store.read { snapshot in
            let last = try snapshot.lastEventID()
            guard last > state.sent else { return }
            for (user, listeners) in state.listeners {
                let events = try snapshot.events(after: state.sent, of: user, limit: Self.page + 1)
                guard !events.isEmpty else { continue }
                let text = Self.text(events, last: last)
                for listener in listeners.values { news.append((listener.stream, text)) }
            }
            state.sent = last
        }
        return news
    }

    private static func resync(_ last: Int64) -> [UInt8] {
        Array("id: \(last)\ndata: {\"type\":\"resync\"}\n\n".utf8)
    }

    /// Several `sync` in a row are one, with the last one's id; more than a page is one `resync`.
    private static func text(_ events: [StoredEvent], last: Int64) -> [UInt8] {
        guard events.count <= page, events.reduce(0, { $0 + $1.data.utf8.count }) <= pageBytes else {
            return resync(last)
        }
        var text = ""
        for (index, event) in events.enumerated() {
            if index + 1 < events.count, event.data == Event.syncJSON, events[index + 1].data == event.data {
                continue
            }
            text += "id: \(event.id)\ndata: \(event.data)\n\n"
        }
        return Array(text.utf8)
    }

    private func heartbeat() -> Int? {
        let listeners = state.withLock { $0.listeners.values.flatMap(\.values) }
        guard !listeners.isEmpty else { return nil }
        let now = clock.now()
        let isDue = lastHeartbeat.withLock { last in
            guard now.seconds(since: last) >= Self.heartbeatSeconds || now < last else { return false }
            last = now
            return true
        }
        if isDue {
            for listener in listeners {
                if isSignedIn(listener.caller, now) {
                    _ = listener.stream.send(Array(": heartbeat\n\n".utf8))
                } else {
                    listener.stream.close()
                }
            }
        }
        return Int(Self.heartbeatSeconds) * 1000
    }

    /// A revoked token or an ended session ends its stream.
    private func isSignedIn(_ caller: Caller, _ now: Instant) -> Bool {
        let found = try? store.read { snapshot in  // a store that does not answer ends nobody's stream
            switch caller.method {
            case .token(let id): try snapshot.hasToken(id)
            case .session(let hash): try snapshot.sessionUser(hash: hash, now: now) != nil
            case .proxy, .local: true
            }
        }
        return found ?? true
    }
}
