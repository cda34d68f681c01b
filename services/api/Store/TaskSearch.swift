import Domain
import SQLite

/// A question to `task_text`, in FTS5's language (https://www.sqlite.org/fts5.html#full_text_query_syntax).
///
/// It asks among what the user may see, so that it takes as long as his own tasks make it and no longer. What he may see
/// is decided by the conditions on `task` all the same.
struct TaskSearch {
    /// nil: no word is asked for.
    let wanted: String?
    /// Asked for when `wanted` is nil.
    let excluded: String?

    init(_ search: Search, of user: UserID, in projects: [Int64]) {
        let wanted = search.wanted.compactMap(Self.phrase).joined(separator: " ")
        let excluded = search.excluded.compactMap(Self.phrase).joined(separator: " OR ")
        let scope =
            "seen : (" + (["u\(user.rawValue)"] + projects.map { "p\($0)" }).joined(separator: " OR ") + ")"
        if wanted.isEmpty {
            self.wanted = nil
            self.excluded = excluded.isEmpty ? nil : "\(scope) AND {title notes} : (\(excluded))"
        } else {
            let without = excluded.isEmpty ? "" : " NOT ({title notes} : (\(excluded)))"
            self.wanted = "(\(scope) AND {title notes} : (\(wanted)))\(without)"
            self.excluded = nil
        }
    }

    /// A term without a word in it, such as a lone dash, asks for nothing.
    private static func phrase(_ term: Search.Term) -> String? {
        let text = SearchText(term.text)
        guard text.hasWords else { return nil }
        // There are no quotes in it, nor anything else but words.
        return "\"\(text.text)\"" + (term.isBeginning ? " *" : "")
    }
}

extension Transaction {
    /// Makes an item's words findable, in place of those that it had.
    func index(_ task: TaskItem) throws {
        try db.run(
            "INSERT OR REPLACE INTO task_text (rowid, title, notes, seen) VALUES (?, ?, ?, ?)",
            [
                .int(task.id.rawValue), .text(SearchText(task.title).text),
                .text(SearchText(task.notes ?? "").text),
                .text("u\(task.owner.rawValue) p\(task.project.rawValue)"),
            ])
    }

    /// The same for items of one owner that have come into a project as they were.
    func index(tasksOf owner: UserID, in project: ProjectID) throws {
        try db.run(
            """
            UPDATE task_text SET seen = 'u' || ?2 || ' p' || ?1
            WHERE rowid IN (SELECT id FROM task WHERE project_id = ?1 AND user_id = ?2)
            """, [.int(project.rawValue), .int(owner.rawValue)])
    }

    /// Forgets the words of items that are about to be deleted.
    ///
    /// - Parameter condition: of the rows of `task`.
    func unindexTasks(where condition: String, _ arguments: [SQLValue]) throws {
        try db.run("DELETE FROM task_text WHERE rowid IN (SELECT id FROM task WHERE \(condition))", arguments)
    }
}
