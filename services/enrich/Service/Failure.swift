internal import Interfaces
internal import JSON
internal import Varlink

/// Why a text was not read, and what that means for its job (docs/spec/enrich.md, 1.5 and 1.7).
public struct Failure: Error, Hashable, Sendable {
    /// A word for the log: `TimedOut`, `Refused` …
    public var error: String
    /// Another attempt may help.
    public var isRetryable = true
    /// The enricher was asked.
    public var usesAttempt = true
    public var retryAfterMs: Int?
    public var effect = Effect.failure

    /// What the breaker makes of it.
    public enum Effect: Hashable, Sendable {
        /// Counts.
        case failure
        /// Opens it at once.
        case final
        /// Says that the enricher is well: busy, or the text is at fault.
        case well
        /// Says nothing: nobody listens there.
        case none
    }

    public init(
        _ error: String, isRetryable: Bool = true, usesAttempt: Bool = true, retryAfterMs: Int? = nil,
        effect: Effect = .failure
    ) {
        self.error = error
        self.isRetryable = isRetryable
        self.usesAttempt = usesAttempt
        self.retryAfterMs = retryAfterMs
        self.effect = effect
    }

    /// An answer that is none: no object, no title, too long.
    public static let badAnswer = Failure("BadAnswer")

    /// The service is being stopped; the text goes back as it came.
    static let stopping = Failure("Stopping", usesAttempt: false, retryAfterMs: 0, effect: .none)

    /// How long a text waits for an enricher that nobody answers for, ms. Short: its socket may come any moment.
    static let absentMs = 5_000
    /// A longer wait than this counts as an attempt, ms (1.5).
    static let longestWaitMs = 15 * 60_000

    /// What came of a call that gave no reply.
    public init(_ error: any Error) {
        switch error {
        case let error as VarlinkError: self.init(answered: error)
        case let error as VarlinkTransportError: self.init(transport: error)
        case let error as Failure: self = error
        default: self.init("BadAnswer")
        }
    }

    private init(transport error: VarlinkTransportError) {
        switch error.kind {
        case .connect:
            self.init("NotReachable", usesAttempt: false, retryAfterMs: Failure.absentMs, effect: .none)
        case .timeout: self.init("TimedOut", usesAttempt: error.wasSent)
        case .closed:
            self.init(
                "ConnectionLost", usesAttempt: error.wasSent,
                retryAfterMs: error.wasSent ? nil : Failure.absentMs)
        case .tooLarge, .protocol: self.init("BadAnswer", usesAttempt: error.wasSent)
        }
    }

    private init(answered error: VarlinkError) {
        let prefix = EnricherInterface.name + "."
        guard error.name.hasPrefix(prefix) else {
            let word = error.name.split(separator: ".").last.map(String.init) ?? "BadAnswer"
            self.init(word)
            return
        }
        let word = String(error.name.dropFirst(prefix.count))
        let wait = error.parameters["retry_after_ms"]?.int.map { Int(clamping: max(0, $0)) }
        switch word {
        case "Overloaded", "RateLimited":
            let wait = wait ?? 10_000
            let isShort = wait <= Failure.longestWaitMs
            self.init(word, usesAttempt: !isShort, retryAfterMs: wait, effect: .well)
        case "Unauthorized", "BudgetExhausted": self.init(word, isRetryable: false, effect: .final)
        case "TextEmpty", "TextTooLong", "UnsupportedKind": self.init(word, isRetryable: false, effect: .well)
        case "UnsupportedProtocol": self.init(word, isRetryable: false)
        case "Refused": self.init(word, effect: .well)
        default: self.init(word, retryAfterMs: wait)
        }
    }
}
