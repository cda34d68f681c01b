extension Schema {
    /// Reminders, their periods, and segments (M, G).
    static let periods = """
        ALTER TABLE undo ADD COLUMN others TEXT; -- JSON: [{table, key, before_state, after_state}], rows that are no items
        CREATE INDEX task_reminder ON task (user_id, done) WHERE is_reminder = 1;
        CREATE INDEX task_segment ON task (user_id)
            WHERE \(open) AND \(ordinary) AND horizon IS NOT NULL AND due_at IS NULL;
        CREATE INDEX task_prompts ON task (user_id) WHERE quota_prompt_config IS NOT NULL;
        """
}
