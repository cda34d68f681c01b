extension Schema {
    /// A14's order of kinds. The indexes below repeat it word by word.
    static let place = """
        CASE WHEN is_tracked = 1 OR progress_target > 1 THEN 1 WHEN is_reminder = 1 THEN 2
        WHEN due_at IS NULL THEN 3 ELSE 0 END
        """

    /// Lists in their order, so that the first of them are read and no others; counts from the index alone.
    static let lists = """
        CREATE INDEX task_listed ON task (user_id, done, \(place), due_at, priority DESC, id)
            WHERE deleted_at IS NULL;
        DROP INDEX task_by_project;
        CREATE INDEX task_in_project ON task (project_id, done, \(place), due_at, priority DESC, id);
        CREATE INDEX task_counted ON task (user_id, project_id, due_at) WHERE \(open) AND \(ordinary);
        """
}
