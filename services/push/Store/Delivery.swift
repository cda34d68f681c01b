public import Interfaces
public import Time

/// A message as the service hands it over: judged, with what the database keeps in a form of its own.
public struct Incoming: Sendable {
    public var message: Push.Message
    /// Why it cannot be carried out; such a message leaves a line in the log and nothing else.
    public var refusal: String?
    /// Of a registration that was not refused.
    public var address: Target.Address?

    public init(_ message: Push.Message, refusal: String? = nil, address: Target.Address? = nil) {
        self.message = message
        self.refusal = refusal
        self.address = address
    }
}

/// A delivery that is to be sent now. It is marked as being sent.
public struct Outgoing: Sendable {
    public var delivery: Int64
    public var target: Target
    public var message: Push.Message
    /// Instant after which nobody wants it any more.
    public var expiresAt: Instant
    /// This one included: 1 at the first.
    public var attempt: Int
    /// To the target's other APNs environment (N-54).
    public var isSwapped: Bool

    public init(
        delivery: Int64, target: Target, message: Push.Message, expiresAt: Instant, attempt: Int,
        isSwapped: Bool
    ) {
        self.delivery = delivery
        self.target = target
        self.message = message
        self.expiresAt = expiresAt
        self.attempt = attempt
        self.isSwapped = isSwapped
    }
}

/// How an attempt ended.
public enum Ending: Hashable, Sendable {
    /// The push service has it.
    case sent(status: Int)
    /// Not yet: again from `at` on. Nothing later goes to that target before.
    case retry(at: Instant, status: Int?, reason: String)
    /// Again at once, to the other APNs environment.
    case swap(status: Int, reason: String)
    /// For good.
    case failed(status: Int?, reason: String)
    /// The device is gone, since an instant if the push service says so: so are its target, unless registered later,
    /// and all that waits for it.
    case gone(since: Instant?, status: Int, reason: String)
    /// The service is stopping and nothing was answered: it waits again, as if never sent.
    case interrupted
}

/// An ended attempt.
public struct Ended: Sendable {
    public var outgoing: Outgoing
    public var ending: Ending

    public init(_ outgoing: Outgoing, _ ending: Ending) {
        self.outgoing = outgoing
        self.ending = ending
    }
}
