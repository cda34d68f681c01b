/// A rule that says no, as a value. What it refuses has not happened.
public struct Refusal: Error, Hashable, Sendable {
    /// How an interface answers; each has one HTTP status.
    public enum Status: Int, Sendable {
        case invalid = 400
        case forbidden = 403
        case notFound = 404
        case conflict = 409
    }

    /// A sentence for a person.
    public var message: String
    /// The rule's word on the wire (api 1.3), such as `target_after_deadline`.
    public var reason: String?
    /// The field at fault, by its name on the wire.
    public var field: String?
    public var status: Status

    public init(_ message: String, reason: String? = nil, field: String? = nil, status: Status = .invalid) {
        self.message = message
        self.reason = reason
        self.field = field
        self.status = status
    }

    static func invalid(_ field: TaskField, _ message: String) -> Refusal {
        Refusal(message, field: field.rawValue)
    }

    static let inTrash = Refusal("The task is in the trash")
    /// S-1, C-6.
    static let alreadyDone = Refusal("The task is already done")
    /// T-10, D-12.
    static let targetAfterDeadline = Refusal(
        "The target is after the deadline", reason: "target_after_deadline", field: TaskField.target.rawValue)
    /// C-8.
    static let changedSince = Refusal(
        "The task has changed since it was completed; use Undo", reason: "changed_since", status: .conflict)
}

/// The wire's name for how a refusal is answered.
public typealias RefusalStatus = Refusal.Status
