import Dispatch
import Synchronization

/// The one writer of a database, shared by many threads: those that wait together are committed together.
///
/// Invariants:
/// 1. One thread at a time leads: it runs its own change and those of all that queued up behind it, each in a
///    savepoint, in the order of arrival, and commits once (one fsync for all).
/// 2. A change that throws is rolled back to its savepoint; the others of the batch are not touched.
/// 3. Nobody is told before the commit. If the commit fails, everyone in the batch gets that error.
///
/// ```
///   arrive ──► nobody leads? ──yes──► lead: take queue, BEGIN, run each, COMMIT, tell each, pass the lead on
///                   │ no                ▲
///                   └──► queue, wait ───┘ woken as the next leader, or with the result
/// ```
public final class Writer: Sendable {
    private struct State {
        var queue: [Job] = []
        var isLed = false
    }

    private let state = Mutex(State())
    private let database: Confined
    private let longestBatch = 64

    /// - Parameter database: belongs to the writer from now on.
    public init(_ database: sending Database) {
        self.database = Confined(database)
    }

    /// Runs `body` in a transaction of its own and returns when it is durable. `body` may run on another waiting
    /// thread, and must not call the writer again.
    ///
    /// - Throws: what `body` throws, or the `SQLiteError` of the commit; then nothing was written.
    public func write<T>(_ body: (Database) throws -> T) throws -> T {
        var value: T?
        try withoutActuallyEscaping({ (database: Database) in value = try body(database) }) { work in
            let job = Job(work)
            let leads = state.withLock { state in
                state.queue.append(job)
                defer { state.isLed = true }
                return !state.isLed
            }
            if !leads { job.waitForTurn() }
            if job.outcome == nil { lead() }
            if case .failure(let error) = job.outcome { throw error }
        }
        guard let value else { preconditionFailure("a change that succeeded has a value") }
        return value
    }

    private func lead() {
        let batch = state.withLock { state in
            let batch = Array(state.queue.prefix(longestBatch))
            state.queue.removeFirst(batch.count)
            return batch
        }
        commit(batch)
        let next = state.withLock { state in
            if state.queue.isEmpty { state.isLed = false }
            return state.queue.first
        }
        next?.wake()
        for job in batch { job.wake() }
    }

    private func commit(_ batch: [Job]) {
        let database = database.value
        do {
            try database.run("BEGIN IMMEDIATE")
            for job in batch {
                try database.run("SAVEPOINT change")
                do {
                    try job.run(database)
                    try database.run("RELEASE change")
                } catch {
                    // A full disk has rolled back everything already: the whole batch fails with it.
                    guard database.isInTransaction else { throw error }
                    try database.run("ROLLBACK TO change")
                    try database.run("RELEASE change")
                    job.outcome = .failure(error)
                }
            }
            try database.run("COMMIT")
            for job in batch where job.outcome == nil { job.outcome = .success(()) }
        } catch {
            // try? : the first error is the one to tell
            if database.isInTransaction { _ = try? database.run("ROLLBACK") }
            for job in batch { job.fail(error) }
        }
    }
}

/// One change that waits. Unchecked: the queue's lock and the semaphore hand it from thread to thread, and its owner
/// waits until it has run.
private final class Job: @unchecked Sendable {
    private var work: ((Database) throws -> Void)?
    var outcome: Result<Void, any Error>?
    private let turn = DispatchSemaphore(value: 0)

    init(_ work: @escaping (Database) throws -> Void) { self.work = work }

    /// Does the work and lets go of it: its owner, once woken, must hold the only reference (`withoutActuallyEscaping`),
    /// while whoever led may still hold the job.
    func run(_ database: Database) throws {
        defer { work = nil }
        try work?(database)
    }

    /// Nothing of the batch was written, whether it ran or not.
    func fail(_ error: any Error) {
        work = nil
        outcome = .failure(error)
    }

    func waitForTurn() { turn.wait() }
    func wake() { turn.signal() }
}

/// Unchecked: only the leader touches the connection, and there is one leader at a time.
private struct Confined: @unchecked Sendable {
    let value: Database
    init(_ value: Database) { self.value = value }
}
