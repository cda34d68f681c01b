import CCurl
import Glibc
import Synchronization

/// The thread that owns a libcurl multi handle.
///
/// Others reach it through `inbox` and `curl_multi_wakeup`, the one function of libcurl that any thread may call on a
/// multi handle. Unchecked for that reason: all else below is touched by the loop's thread alone, and `thread` by
/// `start`, before anybody else has the loop, and by the first `stop`.
final class TransferLoop: @unchecked Sendable {
    private struct Inbox {
        var added: [Transfer] = []
        var cancelled: [Transfer] = []
        var stopAt: ContinuousClock.Instant?
        var hasEnded = false
    }

    private let settings: HTTPSender.Settings
    private let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private var thread = pthread_t()

    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var idle: [UnsafeMutableRawPointer] = []
    private static let mostIdle = 64

    init(_ settings: HTTPSender.Settings) {
        self.settings = settings
        // Once per process; thread-safe since libcurl 7.84.
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
            preconditionFailure("libcurl did not start")
        }
        self.multi = multi
        opentask_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        opentask_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
        opentask_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    func start() {
        let context = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue()
                TransferLoop.blockSignals()
                loop.run()
                return nil
            }, context)
        precondition(code == 0, "no thread for the HTTP client")
    }

    func add(_ transfer: Transfer) {
        let isOpen = inbox.withLock { inbox in
            guard inbox.stopAt == nil else { return false }
            inbox.added.append(transfer)
            return true
        }
        if isOpen {
            curl_multi_wakeup(multi)
        } else {
            transfer.finish(.failure(HTTPClientError(.stopped)))
        }
    }

    func cancel(_ transfer: Transfer) {
        // The mark is for a transfer that the loop does not have yet: a cancellation can overtake it.
        transfer.isCancelled.store(true, ordering: .releasing)
        inbox.withLock { $0.cancelled.append(transfer) }
        curl_multi_wakeup(multi)
    }

    func stop(within limit: Duration) {
        let isFirst = inbox.withLock { inbox in
            defer { inbox.stopAt = inbox.stopAt ?? .now + limit }
            return inbox.stopAt == nil
        }
        guard isFirst else { return }
        curl_multi_wakeup(multi)
        // The last reference may go away in a callback, on this very thread.
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    private func run() {
        var active: Int32 = 0
        while takeInbox() {
            curl_multi_perform(multi, &active)
            takeFinished()
            curl_multi_poll(multi, nil, 0, patience(), nil)
        }
        for (easy, transfer) in running {
            curl_multi_remove_handle(multi, easy)
            curl_easy_cleanup(easy)
            transfer.finish(.failure(HTTPClientError(.stopped)))
        }
        running = [:]
        for easy in idle { curl_easy_cleanup(easy) }
        idle = []
    }

    /// - Returns: whether to go on.
    private func takeInbox() -> Bool {
        let (added, cancelled, stopAt) = inbox.withLock { inbox in
            defer {
                inbox.added = []
                inbox.cancelled = []
            }
            return (inbox.added, inbox.cancelled, inbox.stopAt)
        }
        for transfer in added { begin(transfer) }
        for transfer in cancelled {
            guard let easy = running.first(where: { $0.value === transfer })?.key else { continue }
            end(easy, .failure(HTTPClientError(.stopped)))
        }
        guard let stopAt else { return true }
        return !running.isEmpty && ContinuousClock.now < stopAt
    }

    private func begin(_ transfer: Transfer) {
        guard !transfer.isCancelled.load(ordering: .acquiring) else {
            transfer.finish(.failure(HTTPClientError(.stopped)))
            return
        }
        guard let easy = idle.popLast() ?? curl_easy_init() else {
            transfer.finish(.failure(HTTPClientError(CURLE_OUT_OF_MEMORY)))
            return
        }
        if let error = transfer.prepare(easy, settings) {
            release(easy)
            transfer.finish(.failure(error))
            return
        }
        running[easy] = transfer
        if curl_multi_add_handle(multi, easy) != CURLM_OK {
            end(easy, .failure(HTTPClientError(CURLE_FAILED_INIT)))
        }
    }

    private func takeFinished() {
        var code = CURLE_OK
        while let easy = opentask_curl_finished(multi, &code) {
            guard let transfer = running[easy] else { continue }
            end(easy, transfer.outcome(easy, code))
        }
    }

    private func end(_ easy: UnsafeMutableRawPointer, _ outcome: HTTPSender.Outcome) {
        guard let transfer = running.removeValue(forKey: easy) else { return }
        curl_multi_remove_handle(multi, easy)
        release(easy)
        transfer.finish(outcome)
    }

    private func release(_ easy: UnsafeMutableRawPointer) {
        if idle.count < TransferLoop.mostIdle {
            curl_easy_reset(easy)
            idle.append(easy)
        } else {
            curl_easy_cleanup(easy)
        }
    }

    /// How long to sleep at most, ms; libcurl shortens it to its own next timer, and a wake-up ends it.
    private func patience() -> Int32 {
        guard let stopAt = inbox.withLock({ $0.stopAt }) else { return .max }
        let left = (stopAt - .now) / .milliseconds(1)
        return running.isEmpty ? 0 : Int32(max(0, min(left, 60_000)).rounded(.up))
    }

    /// Signals are the main thread's; a broken pipe is told by the write's own error.
    private static func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
