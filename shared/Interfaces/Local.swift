public import Varlink

/// `org.opentask.local`: the api's door for the command that sits on the same machine.
public enum Local {
    public static let name = "org.opentask.local"

    /// The full names of the interface's errors.
    public enum Errors {
        /// Parameter `name`.
        public static let noSuchUser = "org.opentask.local.NoSuchUser"
        /// The database has no user at all.
        public static let noUserYet = "org.opentask.local.NoUserYet"
        /// Parameter `name`.
        public static let userExists = "org.opentask.local.UserExists"
        /// Parameters `field` and `message`.
        public static let notValid = "org.opentask.local.NotValid"
        /// Parameter `name`.
        public static let noSuchEnricher = "org.opentask.local.NoSuchEnricher"
    }

    /// One request of the HTTP API, without HTTP.
    public enum Call: VarlinkMethod {
        public static let name = "org.opentask.local.Call"

        public struct Parameters: Codable, Hashable, Sendable {
            /// Whose request it is, by name; nil: the only user, else the first.
            public var user: String?
            /// `GET`, `POST`, `PATCH`, `PUT` or `DELETE`.
            public var method: String
            /// With its query, `/api/tasks?limit=20`.
            public var path: String
            /// A JSON text.
            public var body: String?

            public init(user: String? = nil, method: String, path: String, body: String? = nil) {
                self.user = user
                self.method = method
                self.path = path
                self.body = body
            }

            enum CodingKeys: String, CodingKey {
                case user, method, path, body
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            /// The HTTP status.
            public var status: Int
            /// The body as HTTP would carry it; empty when there is none.
            public var body: String

            public init(status: Int, body: String) {
                self.status = status
                self.body = body
            }

            enum CodingKeys: String, CodingKey {
                case status, body
            }
        }
    }

    /// Adds a user.
    public enum AddUser: VarlinkMethod {
        public static let name = "org.opentask.local.AddUser"

        public struct Parameters: Codable, Hashable, Sendable {
            public var name: String
            /// nil: one is made up and returned.
            public var password: String?
            /// An IANA name; nil: the machine's own.
            public var timezone: String?
            public var email: String?

            public init(name: String, password: String? = nil, timezone: String? = nil, email: String? = nil)
            {
                self.name = name
                self.password = password
                self.timezone = timezone
                self.email = email
            }

            enum CodingKeys: String, CodingKey {
                case name, password, timezone, email
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var id: Int
            /// The password that was made up; nil when one was given.
            public var password: String?

            public init(id: Int, password: String? = nil) {
                self.id = id
                self.password = password
            }

            enum CodingKeys: String, CodingKey {
                case id, password
            }
        }
    }

    /// Makes a Bearer token for the HTTP API.
    public enum CreateToken: VarlinkMethod {
        public static let name = "org.opentask.local.CreateToken"

        public struct Parameters: Codable, Hashable, Sendable {
            public var user: String
            /// What the user will know it by.
            public var label: String

            public init(user: String, label: String) {
                self.user = user
                self.label = label
            }

            enum CodingKeys: String, CodingKey {
                case user, label
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            /// Returned this once.
            public var token: String

            public init(token: String) { self.token = token }

            enum CodingKeys: String, CodingKey {
                case token
            }
        }
    }

    /// Chooses the enricher that texts are asked of.
    public enum UseEnricher: VarlinkMethod {
        public static let name = "org.opentask.local.UseEnricher"
        public typealias Reply = VarlinkEmpty

        public struct Parameters: Codable, Hashable, Sendable {
            public var name: String

            public init(name: String) { self.name = name }

            enum CodingKeys: String, CodingKey {
                case name
            }
        }
    }

    /// How the api is.
    public enum Status: VarlinkMethod {
        public static let name = "org.opentask.local.Status"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var version: String
            public var uptimeSeconds: Int
            public var users: Int
            public var tasks: Int
            /// Messages that have not left.
            public var outbox: Int
            /// Texts that wait for an enricher.
            public var jobsWaiting: Int
            /// The enricher in use.
            public var enricher: String
            /// The path of the database file.
            public var database: String

            public init(
                version: String, uptimeSeconds: Int, users: Int, tasks: Int, outbox: Int, jobsWaiting: Int,
                enricher: String, database: String
            ) {
                self.version = version
                self.uptimeSeconds = uptimeSeconds
                self.users = users
                self.tasks = tasks
                self.outbox = outbox
                self.jobsWaiting = jobsWaiting
                self.enricher = enricher
                self.database = database
            }

            enum CodingKeys: String, CodingKey {
                case version
                case uptimeSeconds = "uptime_seconds"
                case users, tasks, outbox
                case jobsWaiting = "jobs_waiting"
                case enricher, database
            }
        }
    }
}
