extension Schema {
    /// All items of a user, and all of a project, whatever their state: export, the end of a project.
    static let account = """
        CREATE INDEX task_by_user ON task (user_id);
        CREATE INDEX task_in_project ON task (project_id);
        """
}
