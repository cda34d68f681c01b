extension Schema {
    /// All items of a user, whatever their state, by id: for what names it (`INDEXED BY`). An expression, so that the
    /// planner never takes it for a list, whose own indexes hold less.
    static let account = """
        CREATE INDEX task_by_owner ON task (user_id + 0);
        """
}
