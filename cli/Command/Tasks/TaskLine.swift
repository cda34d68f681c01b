public import JSON
public import Time

/// A task as a line: id, target in the user's zone, priority, title, labels.
public struct TaskLine {
    let zone: Zone
    let now: Instant

    /// The user's own zone, so that the times are those of the web page; else this machine's.
    init(_ api: Api, now: Instant = SystemClock().now()) throws(CommandFailure) {
        var name: String?
        do throws(CommandFailure) {
            name = try api.send("GET", "/api/user/preferences")["timezone"]?.string
        } catch {
            guard case .failed = error else { throw error }
        }
        if name == nil { name = try MachineZone.name() }
        guard let zone = name.flatMap({ Zone($0) }) else {
            throw .failed("this machine does not know the time zone \"\(name ?? "")\"")
        }
        self.init(zone: zone, now: now)
    }

    public init(zone: Zone, now: Instant) {
        self.zone = zone
        self.now = now
    }

    public func text(_ task: JSONValue) -> String {
        let id = task["id"]?.int.map(String.init) ?? "?"
        var parts = [String(repeating: " ", count: max(0, 6 - id.count)) + id, target(task), priority(task)]
        parts.append(oneLine(task["title"]?.string ?? ""))
        parts += (task["labels"]?.array ?? []).compactMap(\.string).map { "@\($0)" }
        return parts.joined(separator: "  ")
    }

    /// `2026-03-01 09:00`, with a star when over target; as many blanks when there is none.
    private func target(_ task: JSONValue) -> String {
        guard let text = task["due_at"]?.string, let instant = Instant(iso8601: text, zone: nil) else {
            return String(repeating: " ", count: 17)
        }
        let local = zone.local(instant)
        return "\(instant <= now ? "*" : " ")\(local.date) \(local.time)"
    }

    private func priority(_ task: JSONValue) -> String {
        switch task["priority"]?.int {
        case 4: "urgent"
        case 3: "high  "
        case 2: "medium"
        case 1: "low   "
        default: "      "
        }
    }
}

/// Line breaks and other control characters as blanks: a title must not move a terminal's cursor.
func oneLine(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
}

/// The id of a task as an operand.
func taskID(_ word: String) throws(CommandFailure) -> Int64 {
    guard let id = Int64(word), id > 0 else {
        throw .usage("a task has a number, `opentask list` shows it, and \"\(word)\" is none")
    }
    return id
}
