import Glibc
import Testing
import Time
import Timers

@Suite("WallClockTimer")
struct TimersTests {
    // SystemClock, not time(2): that one is up to a tick behind the clock that the timer goes by.
    private func now() -> Instant { SystemClock().now() }

    @Test func `an instant that has passed is reached at once`() throws {
        let timer = try WallClockTimer()
        for instant in [now().adding(seconds: -5), Instant(seconds: 0), Instant(seconds: -1)] {
            // The clock may be set meanwhile by the test below; it returns at once all the same.
            #expect([.reached, .clockWasSet].contains(timer.sleep(until: instant)))
        }
    }

    @Test func `a sleep ends when its second begins, not before`() throws {
        let timer = try WallClockTimer()
        let instant = now().adding(seconds: 1)
        var wake = timer.sleep(until: instant)
        // The test that sets the clock may run at the same time.
        while wake == .clockWasSet { wake = timer.sleep(until: instant) }
        #expect(wake == .reached)
        #expect(now() >= instant)
    }

    @Test func `an interrupt that came before the sleep ends it, once`() throws {
        let timer = try WallClockTimer()
        timer.interrupt()
        timer.interrupt()
        #expect(timer.sleep(until: nil) == .interrupted)
        #expect(timer.sleep(until: Instant(seconds: 1)) != .interrupted)
    }

    @Test func `another thread ends a sleep that has no end`() throws {
        let timer = try WallClockTimer()
        let thread = Sleeper(timer: timer)
        timer.interrupt()
        #expect([.interrupted, .clockWasSet].contains(thread.wake()))
    }

    @Test func `an instant beyond what the kernel can count is far away, not past`() throws {
        let timer = try WallClockTimer()
        let thread = Sleeper(timer: timer, until: Instant(seconds: .max))
        timer.interrupt()
        #expect([.interrupted, .clockWasSet].contains(thread.wake()))
    }

    @Test(.enabled("needs the right to set the clock (CAP_SYS_TIME)") { mayTouchClock() })
    func `setting the clock wakes every sleeper, with and without an instant`() throws {
        let sleepers = try [nil, now().adding(seconds: 3600)].map {
            Sleeper(timer: try WallClockTimer(), until: $0)
        }
        // Sets the clock to what it shows: a change for the kernel, none for anybody else. A sleeper that is not in
        // its sleep yet misses it, so it is set until the sleepers have woken.
        while !sleepers.allSatisfy(\.hasWoken) { _ = mayTouchClock() }
        for sleeper in sleepers { #expect(sleeper.wake() == .clockWasSet) }
    }
}

/// Sets the clock to the time that it shows; false when that is not allowed.
private func mayTouchClock() -> Bool {
    var now = timespec()
    return clock_gettime(CLOCK_REALTIME, &now) == 0 && clock_settime(CLOCK_REALTIME, &now) == 0
}

/// A thread that sleeps once. Sendable: `result` is written before the thread ends and read after joining it.
private final class Sleeper: @unchecked Sendable {
    private var thread = pthread_t()
    private let timer: WallClockTimer
    private let instant: Instant?
    private var result: WallClockTimer.Wake?
    private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(timer: WallClockTimer, until instant: Instant? = nil) {
        self.timer = timer
        self.instant = instant
        sem_init(done, 0, 0)
        pthread_create(
            &thread, nil,
            { pointer in
                let sleeper = Unmanaged<Sleeper>.fromOpaque(pointer!).takeRetainedValue()
                sleeper.result = sleeper.timer.sleep(until: sleeper.instant)
                sem_post(sleeper.done)
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
    }

    var hasWoken: Bool {
        var value: Int32 = 0
        sem_getvalue(done, &value)
        return value > 0
    }

    func wake() -> WallClockTimer.Wake? {
        pthread_join(thread, nil)
        return result
    }
}
