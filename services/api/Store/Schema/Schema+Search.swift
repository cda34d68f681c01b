import SQLite

extension Schema {
    /// The words of titles and notes (A14), by id of the task; `seen` has words for its owner and its project.
    ///
    /// Filled by `record` and emptied by whatever removes tasks: a trigger may not write to a virtual table while the
    /// schema is not trusted. Ids never come back, so that an entry too many finds nothing. It keeps its own copy of
    /// the words: what is to be removed must not depend on how a later release would read the same text.
    static let search = """
        CREATE VIRTUAL TABLE task_text USING fts5(
            title, notes, seen, columnsize=0, prefix='1 2 3', tokenize="\(SearchText.tokenizer)"
        );
        INSERT INTO task_text (rowid, title, notes, seen)
            SELECT id, search_text(title), search_text(notes), 'u' || user_id || ' p' || project_id FROM task;
        """
}
