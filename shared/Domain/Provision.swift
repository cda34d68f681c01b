/// What A13 does, by what the native shell says that it has.
public enum Provision: Hashable, Sendable {
    /// Its token is one of this user's.
    case active
    /// It gets a new one; `replacing`: one that it has lost.
    case issue(replacing: Int64?)

    /// A token that one of the user's shells has got.
    public struct Issued: Hashable, Sendable {
        public var id: Int64
        /// Its last 8 characters.
        public var preview: String

        public init(id: Int64, preview: String) {
            self.id = id
            self.preview = preview
        }
    }

    /// - Parameters:
    ///   - preview: the last 8 characters of what the shell holds; nil: it did not say.
    ///   - issued: the tokens of this user's shells, oldest first.
    public init(hasLocal: Bool, preview: String?, issued: [Issued]) {
        guard let oldest = issued.first else {
            self = .issue(replacing: nil)
            return
        }
        guard hasLocal else {
            self = .issue(replacing: oldest.id)
            return
        }
        // Another preview is another user's token: that of the account which the shell was signed in to before.
        let isOurs = preview.map { preview in issued.contains { $0.preview == preview } } ?? true
        self = isOurs ? .active : .issue(replacing: nil)
    }
}
