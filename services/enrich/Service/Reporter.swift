internal import Interfaces
internal import Log
internal import Sockets
internal import Synchronization
internal import Varlink

/// Tells the api what became of its texts, several at a time, so that it can commit them together.
///
/// A report is repeated with back-off until the api has taken it or refused it, for as long as the lease can last:
/// Complete and Fail are idempotent for a token, so a reply that was lost does no harm.
final class Reporter: Sendable {
    private let api: VarlinkClient
    private let leaseMs: Int
    private let log: Logger
    private let queue = WorkQueue("report", limit: 4)
    private let isHurried = Atomic(false)
    private let hurried: WakeEvent

    /// After a failure of the api, ms.
    private static let retry = 200...10_000

    init(_ api: VarlinkClient, leaseMs: Int, log: Logger) throws {
        self.api = api
        self.leaseMs = leaseMs
        self.log = log
        hurried = try WakeEvent()
    }

    /// The service stops: no more waiting for an api that does not answer.
    func hurry() {
        isHurried.store(true, ordering: .releasing)
        hurried.signal()
    }

    /// - Parameter done: called with whether the api has taken it.
    func complete(
        _ job: EnrichQueue.Job, _ result: EnricherInterface.Result, _ entry: EnrichQueue.Log,
        done: @escaping @Sendable (Bool) -> Void
    ) {
        queue.add { [self] in
            done(
                deliver(job) {
                    _ = try api.call(
                        EnrichQueue.Complete.self,
                        .init(job: job.id, token: job.token, result: result, log: entry),
                        timeoutMilliseconds: timeoutMs)
                })
        }
    }

    func fail(
        _ job: EnrichQueue.Job, _ failure: Failure, durationMs: Int, done: @escaping @Sendable () -> Void
    ) {
        queue.add { [self] in
            if failure != .stopping {
                log(
                    .notice, "a text was not read",
                    [
                        "job": "\(job.id)", "enricher": job.enricher, "error": failure.error,
                        "attempt": "\(job.attempt)",
                    ])
            }
            let entry = EnrichQueue.Log(enricher: job.enricher, durationMs: durationMs, input: job.text)
            _ = deliver(job) {
                _ = try api.call(
                    EnrichQueue.Fail.self,
                    .init(
                        job: job.id, token: job.token, error: failure.error, retryable: failure.isRetryable,
                        usesAttempt: failure.usesAttempt, retryAfterMs: failure.retryAfterMs, log: entry),
                    timeoutMilliseconds: timeoutMs)
            }
            done()
        }
    }

    /// Holds a text for longer.
    ///
    /// - Returns: false when it is no longer ours. An api that does not answer is only logged: the report will tell.
    func extend(_ job: EnrichQueue.Job, by milliseconds: Int) -> Bool {
        do {
            _ = try api.call(
                EnrichQueue.Extend.self, .init(job: job.id, token: job.token, leaseMs: milliseconds),
                timeoutMilliseconds: timeoutMs)
            return true
        } catch let error as VarlinkError where Self.isOvertaken(error) {
            return false
        } catch {
            log(.info, "a lease was not extended", ["job": "\(job.id)", "error": "\(error)"])
            return true
        }
    }

    /// How it is told that a text is no longer ours.
    private static func isOvertaken(_ error: VarlinkError) -> Bool {
        error.name == EnrichQueue.Errors.staleToken || error.name == EnrichQueue.Errors.gone
    }

    private var timeoutMs: Int { isHurried.load(ordering: .acquiring) ? 1000 : 10_000 }

    private func deliver(_ job: EnrichQueue.Job, _ body: () throws -> Void) -> Bool {
        var pause = Self.retry.lowerBound
        let end = ContinuousClock.now + .milliseconds(leaseMs)
        while true {
            do {
                try body()
                return true
            } catch let error as VarlinkError {
                if !Self.isOvertaken(error) {
                    log(.error, "the api refused a report", ["job": "\(job.id)", "error": error.name])
                }
                return false
            } catch {
                guard !isHurried.load(ordering: .acquiring), ContinuousClock.now < end else {
                    log(
                        .warning, "a report was not taken, its lease will run out",
                        ["job": "\(job.id)", "error": "\(error)"])
                    return false
                }
                // Only descriptors can fail; then there is no pause.
                _ = try? hurried.wait(until: Deadline(milliseconds: pause))
                pause = min(pause * 2, Self.retry.upperBound)
            }
        }
    }
}
