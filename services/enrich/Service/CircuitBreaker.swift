/// Keeps an enricher from being asked while it fails (docs/spec/enrich.md, 1.5): five failures within 60 s, and it is
/// left alone for 300 s; then one text tries whether it is well again.
///
/// A value; whoever holds it passes the time in.
public struct CircuitBreaker: Sendable {
    public enum Answer: Hashable, Sendable {
        /// Ask.
        case closed
        /// Ask this one; until its outcome is known, nobody else.
        case trial
        /// Do not ask for this long.
        case open(Duration)
    }

    private static let limit = 5
    private static let window = Duration.seconds(60)
    private static let pause = Duration.seconds(300)

    private var failures: [ContinuousClock.Instant] = []
    private var openUntil: ContinuousClock.Instant?
    private var isTrying = false

    public init() {}

    /// Whether the enricher may be asked now. After `trial` an outcome must be told.
    public mutating func ask(at now: ContinuousClock.Instant) -> Answer {
        guard let openUntil else { return .closed }
        if now < openUntil { return .open(openUntil - now) }
        if isTrying { return .open(.seconds(1)) }
        isTrying = true
        return .trial
    }

    /// The enricher answered, well or with a refusal of its own that says that it is well (it is busy, say).
    public mutating func succeeded() {
        failures = []
        openUntil = nil
        isTrying = false
    }

    /// - Parameter isFinal: asking again cannot help (credentials, budget): it opens at once.
    /// - Returns: whether this failure has opened it.
    public mutating func failed(at now: ContinuousClock.Instant, isFinal: Bool = false) -> Bool {
        if isTrying || isFinal {
            let wasOpen = openUntil.map { now < $0 } ?? false
            isTrying = false
            failures = []
            openUntil = now + CircuitBreaker.pause
            return !wasOpen
        }
        failures = failures.filter { now - $0 < CircuitBreaker.window } + [now]
        guard failures.count >= CircuitBreaker.limit, openUntil == nil else { return false }
        failures = []
        openUntil = now + CircuitBreaker.pause
        return true
    }

    /// A trial came to nothing: it was never carried out.
    public mutating func abandoned() { isTrying = false }

    /// How long it stays open; nil when it is closed or may be tried.
    public func remaining(at now: ContinuousClock.Instant) -> Duration? {
        guard let openUntil, now < openUntil else { return nil }
        return openUntil - now
    }
}
