import Glibc

/// A point of the monotonic clock until which something may wait. Setting the wall clock does not move it.
public struct Deadline: Hashable, Comparable, Sendable {
    /// Nanoseconds of `CLOCK_MONOTONIC`; nil: no end.
    private let nanoseconds: Int64?

    /// Waits as long as it takes.
    public static let never = Deadline(nanoseconds: nil)

    private init(nanoseconds: Int64?) { self.nanoseconds = nanoseconds }

    /// `milliseconds` from now; nil or less than 0: never.
    public init(milliseconds: Int?) {
        guard let milliseconds, milliseconds >= 0 else {
            self = .never
            return
        }
        let (wait, overflow) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let (end, late) = Deadline.now().addingReportingOverflow(wait)
        self = overflow || late ? .never : Deadline(nanoseconds: end)
    }

    public static func < (a: Deadline, b: Deadline) -> Bool {
        (a.nanoseconds ?? .max) < (b.nanoseconds ?? .max)
    }

    public var hasPassed: Bool { nanoseconds.map { $0 <= Deadline.now() } ?? false }

    /// What is left, in the form of poll(2): milliseconds rounded up, 0 when passed, -1 for no end.
    var pollMilliseconds: Int32 {
        guard let nanoseconds else { return -1 }
        let left = nanoseconds - Deadline.now()
        return left <= 0 ? 0 : Int32(min((left + 999_999) / 1_000_000, Int64(Int32.max)))
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
