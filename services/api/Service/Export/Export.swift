import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A64: everything of a user, from one state of the store, piece by piece. Each piece is one page of one subject, so
/// that an export of any length takes the memory of a page.
struct Export {
    /// Where the writing has got to.
    private enum Place {
        case head
        case tasks(after: TaskItem.ID)
        case projects
        case completions(after: (at: Instant, id: Int64))
        case over
    }

    /// What is written.
    enum Form {
        case everything
        case taskTable
        case projectTable
    }

    /// Rows of a page. Notes may have 400 KB each.
    static let pageLength = 32

    private let held: HeldSnapshot
    private let form: Form
    private let user: User
    private let now: Instant
    private let counts: [ProjectID: (active: Int, overTarget: Int)]
    private var place = Place.head
    private var isFirst = true

    init(_ form: Form, of user: User, from held: HeldSnapshot, now: Instant) throws {
        self.held = held
        self.form = form
        self.user = user
        self.now = now
        counts = try held.snapshot.projectCounts(of: user.id, now: now)
    }

    /// The next piece; nil: that was all.
    mutating func next() throws -> [UInt8]? {
        switch (form, place) {
        case (_, .over): return nil
        case (.everything, .head):
            place = .tasks(after: TaskItem.ID(rawValue: 0))
            return Array(#"{"data":{"tasks":["#.utf8)
        case (.everything, .tasks(let last)): return try tasks(after: last)
        case (.everything, .projects): return try projects()
        case (.everything, .completions(let last)): return try completions(after: last)
        case (.taskTable, .tasks(let last)): return try taskRecords(after: last)
        case (.taskTable, _):
            place = .tasks(after: TaskItem.ID(rawValue: 0))
            return Self.table { $0.record(Self.taskColumns) }
        case (.projectTable, _):
            place = .over
            let projects = try held.snapshot.projects(with: user.id)
            return Self.table { table in
                table.record(Self.projectColumns)
                for project in projects { table.record(project.record(counts[project.id])) }
            }
        }
    }

    // JSON. The brackets between the pages are written here, each page by a writer of its own.

    private mutating func tasks(after last: TaskItem.ID) throws -> [UInt8] {
        let page = try held.snapshot.tasks(of: user.id, after: last, limit: Self.pageLength)
        guard let newest = page.last else {
            place = .projects
            return Array(#"],"projects":["#.utf8)
        }
        place = .tasks(after: newest.id)
        let zone = user.preferences.zone
        return elements(page) { $1.raw($0.json(zone: zone)) }
    }

    private mutating func projects() throws -> [UInt8] {
        isFirst = true
        place = .completions(after: (Instant(seconds: .min), 0))
        let counts = counts
        let all = elements(try held.snapshot.projects(with: user.id)) { project, writer in
            writer.object { project.write(to: &$0, counts: counts[project.id]) }
        }
        isFirst = true
        return all + Array(#"],"completions":["#.utf8)
    }

    private mutating func completions(after last: (at: Instant, id: Int64)) throws -> [UInt8] {
        let page = try held.snapshot.completions(of: user.id, after: last, limit: Self.pageLength * 8)
        guard let newest = page.last else {
            place = .over
            return Array(#"],"exported_at":"\#(now.iso8601)"}}"#.utf8)
        }
        place = .completions(after: (newest.completedAt, newest.id))
        return elements(page) { completion, writer in
            writer.object { writer in
                writer.member("id", completion.id)
                writer.member("task_id", completion.task.rawValue)
                writer.member("user_id", completion.user.rawValue)
                writer.member("completed_at", completion.completedAt.iso8601)
                writer.member("due_at_was", completion.targetWas?.iso8601)
                writer.member("due_at_next", completion.targetNext?.iso8601)
            }
        }
    }

    /// The elements of a page, with the comma that stands before it.
    private mutating func elements<Element>(
        _ page: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) -> [UInt8] {
        guard !page.isEmpty else { return [] }
        var writer = JSONWriter(capacity: page.count * 1536)
        for element in page { write(element, &writer) }
        let comma = isFirst ? [] : [UInt8(ascii: ",")]
        isFirst = false
        return comma + writer.bytes
    }

    // CSV

    private mutating func taskRecords(after last: TaskItem.ID) throws -> [UInt8]? {
        let page = try held.snapshot.tasks(of: user.id, after: last, limit: Self.pageLength)
        guard let newest = page.last else {
            place = .over
            return nil
        }
        place = .tasks(after: newest.id)
        return Self.table { table in for task in page { table.record(task.record) } }
    }

    private static func table(_ write: (inout CSV) -> Void) -> [UInt8] {
        var table = CSV()
        write(&table)
        return table.bytes
    }

    private static let taskColumns: [String?] = [
        "id", "title", "done", "priority", "due_at", "rrule", "project_id", "labels", "notes", "created_at",
        "updated_at", "is_recurring", "is_snoozed", "deleted_at", "archived_at", "deadline_at",
    ]
    private static let projectColumns: [String?] = [
        "id", "name", "sort_order", "color", "active_count", "overdue_count", "created_at",
    ]
}

extension TaskItem {
    /// The cells of `Export.taskColumns`.
    fileprivate var record: [String?] {
        [
            String(id.rawValue), title, String(done), String(priority.rawValue), target?.iso8601, rrule,
            String(project.rawValue), labels.joined(separator: ";"), notes, createdAt.iso8601,
            updatedAt.iso8601, String(isRecurring), String(isSnoozed), deletedAt?.iso8601,
            archivedAt?.iso8601, deadline?.iso8601,
        ]
    }
}

extension Project {
    /// The cells of `Export.projectColumns`.
    fileprivate func record(_ counts: (active: Int, overTarget: Int)?) -> [String?] {
        [
            String(id.rawValue), name, String(sortOrder), color, String(counts?.active ?? 0),
            String(counts?.overTarget ?? 0), createdAt.iso8601,
        ]
    }
}
