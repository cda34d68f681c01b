/// The schema as numbered steps, forward only: step n brings `user_version` n-1 to n, each in its own transaction.
public struct Migrations: Sendable {
    private let steps: [String]

    /// - Parameter steps: SQL scripts; the first makes version 1.
    public init(_ steps: [String]) {
        self.steps = steps
    }

    /// The version of the last step.
    public var newest: Int { steps.count }

    /// Brings the database to the newest version. Before an existing one changes, a backup is taken beside the file:
    /// `PATH.before-N`, N = the version of the first step that it lacks. An upgrade that was cut off between two steps
    /// goes on with a backup of another name, so that the file as it was at the beginning stays.
    ///
    /// - Throws: `SchemaIsNewer` if the file was written by a newer release; it is left untouched.
    public func migrate(_ database: Database, backup path: String? = nil) throws {
        let present = try version(of: database)
        guard (0...newest).contains(present) else { throw SchemaIsNewer(found: present, known: newest) }
        if present > 0, present < newest, let path {
            try database.backup(to: "\(path).before-\(present + 1)")
        }
        for step in present..<newest {
            try database.transaction {
                // Another process may have been here while this one waited for the file.
                guard try version(of: database) == step else { return }
                try database.execute(steps[step])
                try database.execute("PRAGMA user_version=\(step + 1)")
            }
        }
    }

    private func version(of database: Database) throws(SQLiteError) -> Int {
        Int(try database.first("PRAGMA user_version") { $0.int(0) } ?? 0)
    }
}

/// The database was written by a newer release of the program.
public struct SchemaIsNewer: Error, Hashable, CustomStringConvertible {
    public let found: Int
    public let known: Int

    public var description: String {
        "the database has schema version \(found), this program knows \(known): "
            + "install the release that wrote it, or restore the backup made before its upgrade"
    }
}
