// X-2, api 2.11: every preference. What is shown (A65) and what may be stored (A66) are both read off this table.

/// One preference of a user: its key, its default, and what may be stored under it.
public struct Preference: Sendable {
    /// The name on the wire and in the store.
    public let key: String
    /// What an account has that never set it.
    public let standard: PreferenceValue
    /// A demo account may not set it (api 1.2).
    public let isClosedToDemo: Bool
    let kind: PreferenceKind

    init(
        _ key: String, _ kind: PreferenceKind, _ standard: PreferenceValue, isClosedToDemo: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.standard = standard
        self.isClosedToDemo = isClosedToDemo
    }

    /// What is stored for a value that was sent.
    ///
    /// - Returns: a refusal that names the key when the value is of another type or out of range.
    public func checked(_ sent: PreferenceValue, _ context: PreferenceContext) -> Result<
        PreferenceValue, Refusal
    > {
        guard let value = kind.accepts(sent, context) else {
            return .failure(Refusal("\(key): must be \(kind.words)", field: key))
        }
        return .success(value)
    }

    /// All of them, in the order of api 2.11, which is the order in which they are checked.
    public static let all: [Preference] = appearance + intervals + times + notices + intelligence + reading

    /// Keys that are shown beside them and are the server's to say; sent back, they are ignored.
    public static let readOnlyKeys: Set<String> = [
        "ai_available", "ai_sdk_available", "ai_api_available", "ai_feature_info",
    ]

    /// The setting that goes by two names: the older one is stored, both are shown.
    public static let periodKey = "quota_prompt_slot_id"
    public static let periodAlias = "default_reminder_slot_id"
    public static let labelKey = "label_config"
    public static let zoneKey = "timezone"

    private static let appearance: [Preference] = [
        Preference(
            "default_grouping", .word(["slot", "project", "new", "unified"], aliases: ["time": "project"]),
            .text("project")),
        Preference(
            "default_sort",
            .word(["due_date", "priority", "title", "age", "modified", "original_due", "ai_insights"]),
            .text("due_date")),
        Preference("default_sort_reversed", .flag, .flag(false)),
        Preference("project_preview_count", .integer(1...50), .integer(6)),
        Preference("filters_expanded", .flag, .flag(false)),
        Preference("track_expanded", .flag, .flag(false)),
        Preference("quotas_details", .flag, .flag(false)),
        Preference(labelKey, .labelColors, .list([])),
        Preference("priority_display", .priorityDisplay, PriorityDisplay.standard),
    ]

    private static let intervals: [Preference] = [
        Preference("auto_snooze_minutes", .integer(0...1440), .integer(30)),
        Preference("auto_snooze_low_minutes", .integer(0...1440), .integer(240)),
        Preference("auto_snooze_medium_minutes", .integer(0...1440), .integer(60)),
        Preference("auto_snooze_high_minutes", .integer(0...1440), .integer(15)),
        Preference("auto_snooze_urgent_minutes", .integer(0...1440), .integer(5)),
        Preference("default_snooze_option", .snoozeOption(also: nil), .text("60")),
        Preference("bulk_snooze_default", .snoozeOption(also: "default_option"), .text("next_period")),
    ]

    private static let times: [Preference] = [
        Preference("week_start", .word(["sunday", "monday"]), .text("sunday")),
        Preference(zoneKey, .zone, .null),
        Preference(
            "default_horizon", .optional(.word(TaskItem.Horizon.allCases.map(\.rawValue))), .null),
        Preference("row_detail", .word(["minimal", "normal", "detailed"]), .text("normal")),
        Preference(periodAlias, .optional(.period), .null),
        Preference(periodKey, .optional(.period), .null),
        Preference("quota_prompts_enabled", .flag, .flag(true)),
        Preference("morning_time", .time, .text("09:00")),
        Preference("wake_time", .time, .text("07:00")),
        Preference("sleep_time", .time, .text("22:00")),
    ]

    private static let notices: [Preference] = [
        Preference("notifications_enabled", .flag, .flag(true)),
        Preference("enrichment_notifications_enabled", .flag, .flag(true)),
        Preference("sweep_feedback_notifications_enabled", .flag, .flag(true)),
        Preference("critical_alert_volume", .number(0...1), .number(1)),
    ]

    private static let modes = PreferenceKind.word(["off", "sdk", "api"])

    private static let intelligence: [Preference] = [
        Preference("ai_context", .freeText(most: 1000), .null, isClosedToDemo: true),
        Preference("ai_mode", .word(["on", "off"]), .text("on"), isClosedToDemo: true),
        Preference("ai_show_scores", .flag, .flag(true)),
        Preference("ai_show_signals", .flag, .flag(true)),
        Preference("ai_enrichment_mode", modes, .text("api"), isClosedToDemo: true),
        Preference("ai_quicktake_mode", modes, .text("api"), isClosedToDemo: true),
        Preference("ai_whats_next_mode", modes, .text("api"), isClosedToDemo: true),
        Preference("ai_insights_mode", modes, .text("api"), isClosedToDemo: true),
    ]

    private static let reading: [Preference] = [
        Preference("enricher", .optional(.enricher), .null),
        Preference("enrich_fallback", .word(["builtin", "none"]), .text("none")),
        Preference(
            "quick_add_syntax", .word(["todoist", "vikunja", "ticktick", "words"]), .text("todoist")),
        Preference("date_order", .optional(.word(["mdy", "dmy", "ymd"])), .null),
        Preference("strip_titles", .flag, .flag(true)),
        Preference("ai_wn_commentary_unfiltered", .flag, .flag(false)),
        Preference("ai_wn_highlight", .flag, .flag(true)),
        Preference("ai_insights_signal_chips", .flag, .flag(true)),
        Preference("ai_insights_score_chips", .flag, .flag(true)),
        Preference(
            "ai_enrichment_timeout_ms", .optional(.integer(10_000...300_000)), .null, isClosedToDemo: true),
        Preference(
            "ai_quicktake_timeout_ms", .optional(.integer(10_000...120_000)), .null, isClosedToDemo: true),
        Preference(
            "ai_whats_next_timeout_ms", .optional(.integer(10_000...600_000)), .null, isClosedToDemo: true),
        Preference(
            "ai_insights_timeout_ms", .optional(.integer(60_000...1_800_000)), .null, isClosedToDemo: true),
    ]
}
