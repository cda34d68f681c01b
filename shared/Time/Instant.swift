/// A point in time: whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Seconds since 1970-01-01T00:00:00Z; may be negative.
    public var seconds: Int64

    public init(seconds: Int64) {
        self.seconds = seconds
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }

    /// The instant `seconds` later (earlier if negative): elapsed time, never calendar time.
    public func adding(seconds: Int64) -> Instant {
        Instant(seconds: self.seconds + seconds)
    }

    /// The instant `minutes` later (earlier if negative): elapsed time.
    public func adding(minutes: Int) -> Instant {
        Instant(seconds: seconds + Int64(minutes) * 60)
    }

    /// Elapsed seconds from `other` to here; negative if `other` is later.
    public func seconds(since other: Instant) -> Int64 {
        seconds - other.seconds
    }

    /// On the wire of messages between services: whole seconds since 1970, as a JSON integer.
    public init(from decoder: any Decoder) throws {
        seconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }
}
