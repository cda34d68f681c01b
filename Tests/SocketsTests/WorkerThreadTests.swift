import Glibc
import Sockets
import Synchronization
import Testing

@Suite("Threads and events")
struct WorkerThreadTests {
    @Test func `a thread runs its body under its name, with all signals blocked`() throws {
        let seen = Mutex<(name: String, blocksStop: Bool)>(("", false))
        let ended = try WakeEvent()
        try WorkerThread.start("a-name-longer-than-15-bytes") {
            var name = [UInt8](repeating: 0, count: 64)
            let file = open("/proc/thread-self/comm", O_RDONLY)
            let count = read(file, &name, name.count)
            close(file)
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            seen.withLock {
                $0 = (String(decoding: name.prefix(count), as: UTF8.self), sigismember(&mask, SIGTERM) == 1)
            }
            ended.signal()
        }
        #expect(try ended.wait(until: Deadline(milliseconds: 300_000)))
        #expect(seen.withLock { $0.name } == "a-name-longer-t\n")
        #expect(seen.withLock { $0.blocksStop })
    }

    @Test func `starting a thread leaves the caller's signals as they were`() throws {
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        try WorkerThread.start("short") {}
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for signal in 1..<Int32(65) { #expect(sigismember(&before, signal) == sigismember(&after, signal)) }
    }

    @Test func `an event stays until it is cleared, however often it was signalled`() throws {
        let event = try WakeEvent()
        #expect(try !event.wait(until: Deadline(milliseconds: 0)))
        event.signal()
        event.signal()
        #expect(try event.wait())
        #expect(try event.wait())
        event.clear()
        #expect(try !event.wait(until: Deadline(milliseconds: 0)))
    }

    @Test func `deadlines are ordered, and never is the last`() {
        let soon = Deadline(milliseconds: 0)
        let late = Deadline(milliseconds: 1_000_000)
        #expect(soon < late && late < .never)
        #expect(soon.hasPassed && !late.hasPassed && !Deadline.never.hasPassed)
        #expect(Deadline(milliseconds: nil) == .never)
        #expect(Deadline(milliseconds: -1) == .never)
        #expect(Deadline(milliseconds: .max) == .never)
    }
}
