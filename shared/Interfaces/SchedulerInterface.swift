public import Varlink

/// `org.opentask.scheduler`: how the clock of the house is.
public enum SchedulerInterface {
    public static let name = "org.opentask.scheduler"

    public enum Status: VarlinkMethod {
        public static let name = "org.opentask.scheduler.Status"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var version: String
            public var uptimeSeconds: Int
            /// Follows the api.
            public var connected: Bool
            /// The instant it sleeps until, s since 1970; nil: nothing is ahead.
            public var next: Int64?
            /// Rounds reported since the start.
            public var checks: Int

            public init(version: String, uptimeSeconds: Int, connected: Bool, next: Int64?, checks: Int) {
                self.version = version
                self.uptimeSeconds = uptimeSeconds
                self.connected = connected
                self.next = next
                self.checks = checks
            }

            enum CodingKeys: String, CodingKey {
                case version, connected, next, checks
                case uptimeSeconds = "uptime_seconds"
            }
        }
    }
}
