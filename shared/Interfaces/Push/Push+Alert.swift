public import JSON

extension Push {
    public struct Alert: Codable, Hashable, Sendable {
        public enum Level: String, Codable, Hashable, Sendable {
            case passive, active, critical
            case timeSensitive = "time_sensitive"
        }

        public enum Urgency: String, Codable, Hashable, Sendable {
            case low, normal, high
            case veryLow = "very_low"
        }

        public var taskID: Int64?
        public var title: String
        public var body: String
        public var link: String
        public var category: String?
        public var thread: String
        public var collapseID: String
        public var level: Level
        public var sound: Bool
        public var volume: Double?
        public var badge: Int?
        public var data: [String: JSONValue]
        public var urgency: Urgency
        public var ttlSeconds: Int
        public var silent: Bool
        public var webActions: Bool
        public var channels: [Channel]

        public init(
            taskID: Int64? = nil, title: String, body: String, link: String, category: String? = nil,
            thread: String,
            collapseID: String, level: Level = .active, sound: Bool = true, volume: Double? = nil,
            badge: Int? = nil,
            data: [String: JSONValue] = [:], urgency: Urgency = .normal, ttlSeconds: Int = 3600,
            silent: Bool = false,
            webActions: Bool = false, channels: [Channel] = [.webpush, .apns]
        ) {
            self.taskID = taskID
            self.title = title
            self.body = body
            self.link = link
            self.category = category
            self.thread = thread
            self.collapseID = collapseID
            self.level = level
            self.sound = sound
            self.volume = volume
            self.badge = badge
            self.data = data
            self.urgency = urgency
            self.ttlSeconds = ttlSeconds
            self.silent = silent
            self.webActions = webActions
            self.channels = channels
        }

        enum CodingKeys: String, CodingKey {
            case title, body, link, category, thread, level, sound, volume, badge, data, urgency, silent,
                channels
            case taskID = "task_id"
            case collapseID = "collapse_id"
            case ttlSeconds = "ttl_seconds"
            case webActions = "web_actions"
        }
    }
}
