public import Time

/// When a delivery that failed is tried again.
public enum Backoff {
    /// Longest wait by our own choice, s. A push service may ask for more.
    public static let longest: Int64 = 15 * 60
    /// Longest wait that a push service may ask for, s.
    public static let longestAsked: Int64 = 24 * 3600

    /// 2 s doubled with each attempt up to 15 min, of that a random part between the half and the whole, and not before
    /// the instant that the service named.
    ///
    /// - Parameters:
    ///   - attempt: attempts so far, at least 1.
    ///   - jitter: 0 to 1, where in that part.
    public static func next(attempt: Int, asked: Instant?, jitter: Double, at now: Instant) -> Instant {
        let whole = min(longest, 2 << Int64(min(max(attempt, 1) - 1, 20)))
        let wait = Double(whole) / 2 * (1 + min(max(jitter, 0), 1))
        let own = now.adding(seconds: max(1, Int64(wait.rounded(.up))))
        guard let asked else { return own }
        return max(own, min(asked, now.adding(seconds: longestAsked)))
    }

    /// `Retry-After` (RFC 9110 section 10.2.3): seconds, or an instant. Nil for neither.
    public static func retryAfter(_ text: String?, at now: Instant) -> Instant? {
        guard let text else { return nil }
        if let seconds = Int64(text), seconds >= 0 {
            // `now` lacks its fraction of a second: one more, so as never to be early.
            return now.adding(seconds: min(seconds, longestAsked) + 1)
        }
        return httpDate(text)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7, the form that senders must use).
    private static func httpDate(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "GMT", let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2]),
            (1...31).contains(day)
        else { return nil }
        let date =
            "\(year)-\(two(month + 1))-\(two(day))T\(two(clock[0])):\(two(clock[1])):\(two(min(clock[2], 59)))Z"
        return Instant(iso8601: date, zone: nil)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
