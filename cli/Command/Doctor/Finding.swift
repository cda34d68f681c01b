/// One thing that the doctor looked at.
struct Finding: Codable, Equatable {
    enum State: String, Codable {
        case good, note, bad
    }

    /// What was looked at: `api socket`.
    var subject: String
    var state: State
    /// What was found.
    var detail: String
    /// How to mend it; nil when there is nothing to mend.
    var mend: String?

    static func good(_ subject: String, _ detail: String) -> Finding {
        Finding(subject: subject, state: .good, detail: detail)
    }

    /// Works, and could work better.
    static func note(_ subject: String, _ detail: String, mend: String) -> Finding {
        Finding(subject: subject, state: .note, detail: detail, mend: mend)
    }

    static func bad(_ subject: String, _ detail: String, mend: String) -> Finding {
        Finding(subject: subject, state: .bad, detail: detail, mend: mend)
    }

    var line: String {
        let mark =
            switch state {
            case .good: "ok   "
            case .note: "note "
            case .bad: "BAD  "
            }
        return "\(mark) \(subject): \(oneLine(detail))" + (mend.map { "\n        mend: \($0)" } ?? "")
    }
}
