import Domain
import SQLite

/// A question to `task_text`, in FTS5's language (https://www.sqlite.org/fts5.html#full_text_query_syntax).
struct TaskSearch {
    /// nil: nothing is asked for.
    let wanted: String?
    let excluded: String?

    init(_ search: Search) {
        let wanted = search.wanted.compactMap(Self.phrase)
        let excluded = search.excluded.compactMap(Self.phrase)
        self.wanted = wanted.isEmpty ? nil : wanted.joined(separator: " ")
        self.excluded = excluded.isEmpty ? nil : excluded.joined(separator: " OR ")
    }

    /// A term without a word in it, such as a lone dash, asks for nothing.
    private static func phrase(_ term: Search.Term) -> String? {
        let text = SearchText(term.text)
        guard text.hasWords else { return nil }
        // There are no quotes in it, nor anything else but words.
        return "\"\(text.text)\"" + (term.isBeginning ? " *" : "")
    }

    /// Conditions on `task.id`; `parameter` gives each value its place.
    func conditions(_ parameter: (SQLValue) -> String) -> [String] {
        let rows = "(SELECT rowid FROM task_text WHERE task_text MATCH "
        switch (wanted, excluded) {
        case (nil, nil): return []
        case (let wanted?, nil): return ["id IN \(rows)\(parameter(.text(wanted))))"]
        case (nil, let excluded?): return ["id NOT IN \(rows)\(parameter(.text(excluded))))"]
        case (let wanted?, let excluded?):
            return ["id IN \(rows)\(parameter(.text("(\(wanted)) NOT (\(excluded))"))))"]
        }
    }
}

extension Transaction {
    /// Makes an item's words findable, in place of those that it had.
    func index(_ task: TaskItem) throws {
        try db.run(
            "INSERT OR REPLACE INTO task_text (rowid, title, notes) VALUES (?, ?, ?)",
            [
                .int(task.id.rawValue), .text(SearchText(task.title).text),
                .text(SearchText(task.notes ?? "").text),
            ])
    }

    /// Forgets the words of items that are about to be deleted.
    ///
    /// - Parameter condition: of the rows of `task`.
    func unindexTasks(where condition: String, _ arguments: [SQLValue]) throws {
        try db.run("DELETE FROM task_text WHERE rowid IN (SELECT id FROM task WHERE \(condition))", arguments)
    }
}
