public import Domain
import SQLite
public import Time

/// Which items a list holds (A14).
public struct TaskFilter: Sendable {
    public var done = false
    public var project: ProjectID?
    public var label: String?
    public var search: Search?
    public var trashed = false
    public var archived = false
    public var overTarget = false
    public var kind: TaskItem.Kind?
    public var recurring: Bool?
    /// 1 to 1,000.
    public var limit = 200
    public var offset = 0

    public init() {}
}

/// Which state of which item.
public struct TaskStamp: Hashable, Sendable {
    public let id: TaskItem.ID
    public let version: Int
    public let owner: UserID
    /// Q-5: the count reads 0, although nothing of the item has changed.
    public let periodHasEnded: Bool
}

extension Snapshot {
    /// A14, in its order: tasks by target, then quotas, reminders, undated tasks; ties by priority, then id.
    ///
    /// Told by what its items are at: a version is never the name of two states (A-1), so who has seen an item in this
    /// version need not ask for it again; and sorting these is much cheaper than sorting whole rows.
    ///
    /// What a list costs depends on its length and not on how many items there are: the user's own and those of each
    /// shared project lie in the list's order in an index, and the first of each are merged.
    public func taskStamps(_ filter: TaskFilter, visibleTo user: UserID, now: Instant) throws -> [TaskStamp] {
        let shared = try db.query("SELECT id FROM project WHERE shared = 1") { $0.int(0) }
        var sources: [TaskList.Source]
        if let project = filter.project {
            let isShared = shared.contains(project.rawValue) && !filter.overTarget && !filter.trashed
            sources = [isShared ? .project(project.rawValue) : .own(in: project.rawValue)]
        } else {
            sources = [.own(in: nil)]
            if !filter.overTarget, !filter.trashed { sources += shared.map { .project($0) } }
        }
        let search = filter.search.map { TaskSearch($0, of: user, in: shared) }
        if search?.wanted != nil { sources = [.found(sources)] }
        let wanted = min(filter.offset, Int.max / 2) + filter.limit
        var rows: [TaskList.Line] = []
        for source in sources {
            let list = TaskList(filter, source, search, user: user, now: now, limit: wanted)
            rows += try db.query(list.sql, list.arguments, row: TaskList.Line.init(row:))
        }
        if sources.count > 1 {
            rows.sort()
            // An own item in a shared project comes from both.
            rows = rows.indices.filter { $0 == 0 || rows[$0] != rows[$0 - 1] }.map { rows[$0] }
        }
        return rows.dropFirst(filter.offset).prefix(filter.limit).map(\.stamp)
    }
}

/// The query of one source of a list.
private struct TaskList {
    indirect enum Source {
        case own(in: Int64?)
        case project(Int64)
        /// What a search finds among all of these.
        case found([Source])
    }

    /// One item with what it is sorted by.
    struct Line: Comparable {
        let stamp: TaskStamp
        let place: Int64
        let target: Int64
        let priority: Int64

        init(row: Row) {
            stamp = TaskStamp(
                id: TaskItem.ID(rawValue: row.int(0)), version: Int(row.int(1)),
                owner: UserID(rawValue: row.int(2)), periodHasEnded: row.bool(6))
            place = row.int(3)
            target = row.optionalInt(4) ?? .min
            priority = row.int(5)
        }

        static func < (a: Line, b: Line) -> Bool {
            (a.place, a.target, b.priority, a.stamp.id.rawValue)
                < (b.place, b.target, a.priority, b.stamp.id.rawValue)
        }
    }

    private(set) var arguments: [SQLValue]
    private var conditions: [String] = []
    private var from: String
    private let order: String
    private let limit: Int
    private let now: Instant

    var sql: String {
        """
        SELECT id, version, user_id, \(Schema.place), due_at, priority, period_ends_at BETWEEN 1 AND \(now.seconds)
        FROM \(from)
        WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT \(limit)
        """
    }

    init(
        _ filter: TaskFilter, _ source: Source, _ search: TaskSearch?, user: UserID, now: Instant, limit: Int
    ) {
        arguments = [.int(user.rawValue)]
        // One of two places: without the first, which is always the same, the index of due_at has the order.
        order = (filter.overTarget ? "" : "\(Schema.place), ") + "due_at, priority DESC, id"
        self.limit = limit
        self.now = now
        from = "task"
        let isPlain = !filter.trashed && !filter.overTarget
        switch source {
        case .own(let project):
            if isPlain { from += " INDEXED BY \(project == nil ? "task_listed" : "task_in_project")" }
            conditions.append("user_id = ?1")
            if let project { conditions.append("project_id = \(parameter(.int(project)))") }
        case .project(let project):
            if isPlain { from += " INDEXED BY task_in_project" }
            conditions.append("?1 = ?1 AND project_id = \(parameter(.int(project)))")
        case .found(let places):
            // The words first: few items have them.
            from = "task_text CROSS JOIN task ON task.id = task_text.rowid"
            conditions.append("(\(places.map { visible($0) }.joined(separator: " OR ")))")
        }
        addState(filter)
        addSearch(search)
        addRest(filter, now: now)
    }

    private mutating func parameter(_ value: SQLValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }

    private mutating func visible(_ source: Source) -> String {
        switch source {
        case .own(nil): "user_id = ?1"
        case .own(let project?): "user_id = ?1 AND project_id = \(parameter(.int(project)))"
        case .project(let project): "project_id = \(parameter(.int(project)))"
        case .found(let places): places.map { visible($0) }.joined(separator: " OR ")
        }
    }

    private mutating func addState(_ filter: TaskFilter) {
        if filter.trashed {
            conditions.append("deleted_at IS NOT NULL")
            return
        }
        conditions.append("deleted_at IS NULL")
        conditions.append(filter.done ? "done = 1" : "done = 0")
        if filter.archived {
            conditions.append("archived_at IS NOT NULL")
        } else if !filter.done {
            conditions.append("archived_at IS NULL")
        }
    }

    private mutating func addSearch(_ search: TaskSearch?) {
        if let wanted = search?.wanted {
            conditions.append("task_text MATCH \(parameter(.text(wanted)))")
        } else if let excluded = search?.excluded {
            let found = "(SELECT rowid FROM task_text WHERE task_text MATCH \(parameter(.text(excluded))))"
            conditions.append("id NOT IN \(found)")
        }
    }

    private mutating func addRest(_ filter: TaskFilter, now: Instant) {
        if let label = filter.label {
            conditions.append(
                "EXISTS (SELECT 1 FROM json_each(labels) WHERE value = \(parameter(.text(label))))")
        }
        if filter.overTarget {
            conditions.append(
                """
                \(Schema.open) AND \(Schema.ordinary) AND due_at IS NOT NULL
                AND due_at <= \(parameter(.int(now.seconds)))
                """)
        }
        switch filter.kind {
        case .task: conditions.append(Schema.ordinary)
        case .reminder: conditions.append("is_reminder = 1")
        case .quota: conditions.append("(is_tracked = 1 OR progress_target > 1)")
        case nil: break
        }
        if let recurring = filter.recurring {
            conditions.append("rrule IS \(recurring ? "NOT NULL" : "NULL")")
        }
    }
}
