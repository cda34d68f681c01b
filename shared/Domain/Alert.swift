// N-17, N-18, N-22: what a notification says and how it behaves, for every channel at once.

/// A value of a notification's data.
public enum AlertValue: Hashable, Sendable {
    case int(Int64)
    case text(String)
}

/// One notification. Push turns it into APNs and Web Push; it knows nothing of tasks.
public struct Alert: Hashable, Sendable {
    /// APNs `interruption-level`, as written on the wire.
    public enum Level: String, Sendable {
        case passive
        case active
        case timeSensitive = "time-sensitive"
        case critical
    }

    /// Web Push urgency (RFC 8030, 5.3).
    public enum Urgency: String, Sendable {
        case normal, high
    }

    /// A button on a Web Push notification (N-18).
    public struct WebAction: Hashable, Sendable {
        public var action: String
        public var title: String

        public init(action: String, title: String) {
            self.action = action
            self.title = title
        }
    }

    /// At most 200 code points (N-4).
    public var title: String
    public var body: String
    /// A path of the web app.
    public var link: String
    /// APNs category; nil: none.
    public var category: String?
    public var thread: String
    /// Replaces an earlier notification of the same id; also the Web Push tag.
    public var collapseID: String
    public var level: Level = .active
    /// The default sound.
    public var sound = true
    /// Of a critical alert, 0.0 to 1.0; nil on others.
    public var volume: Double?
    /// N-50; filled in by whoever counts.
    public var badge: Int?
    /// Stands beside `aps` (clients B.2).
    public var data: [String: AlertValue] = [:]
    public var urgency: Urgency = .normal
    /// How long a push service keeps it for a device that is away, seconds.
    public var ttlSeconds = 3600
    /// Web Push shows it without a sound.
    public var silent = false
    /// Web Push only; none by default.
    public var webActions: [WebAction] = []
    /// N-1: Web Push does not carry everything.
    public var onWebPush = true

    /// Web Push tag.
    public var tag: String { collapseID }

    /// Cuts the texts (N-4).
    public init(
        title: String, body: String, link: String, category: String?, thread: String, collapseID: String
    ) {
        self.title = cut(title)
        self.body = cut(body)
        self.link = link
        self.category = category
        self.thread = thread
        self.collapseID = collapseID
    }
}

extension Alert {
    /// N-16: the page of a task.
    static func link(_ id: TaskItem.ID) -> String { "/?task=\(id.rawValue)" }
    static let overTargetLink = "/?filter=overdue"

    /// N-31, N-37, N-38: a banner that makes no sound.
    mutating func makeQuiet() {
        sound = false
        silent = true
    }
}
