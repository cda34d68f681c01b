import Domain
import Testing
import Time

/// A row of the table of api 2.11, with what its edges are.
struct PreferenceRow: Sendable, CustomTestStringConvertible {
    let key: String
    let standard: PreferenceValue
    /// Stored as they are.
    var good: [PreferenceValue]
    /// What is sent, and what is stored for it.
    var turned: [(PreferenceValue, PreferenceValue)] = []
    var bad: [PreferenceValue]

    var testDescription: String { key }

    static func flag(_ key: String, _ standard: Bool) -> Self {
        Self(
            key: key, standard: .flag(standard), good: [.flag(true), .flag(false)],
            bad: [.integer(0), .integer(1), .text("true"), .null, .list([]), .object([:])])
    }

    static func minutes(_ key: String, _ standard: Int) -> Self {
        integer(key, .integer(standard), 0, 1440, null: false)
    }

    static func integer(_ key: String, _ standard: PreferenceValue, _ low: Int, _ high: Int, null: Bool)
        -> Self
    {
        Self(
            key: key, standard: standard,
            good: [.integer(low), .integer((low + high) / 2), .integer(high)] + (null ? [.null] : []),
            turned: [(.number(Double(high)), .integer(high))],
            bad: [
                .integer(low - 1), .integer(high + 1), .integer(.max), .integer(.min), .text("\(low)"),
                .flag(true), .number(Double(low) + 0.5), .number(.nan), .number(.infinity), .number(1e300),
                .list([.integer(low)]),
            ] + (null ? [] : [.null]))
    }

    static func words(_ key: String, _ standard: String?, _ words: [String], null: Bool = false) -> Self {
        Self(
            key: key, standard: standard.map(PreferenceValue.text) ?? .null,
            good: words.map(PreferenceValue.text) + (null ? [.null] : []),
            bad: [
                .text(""), .text(words[0].uppercased()), .text(words[0] + " "), .text("nonsense"),
                .integer(0), .flag(true),
            ] + (null ? [] : [.null]))
    }

    static func time(_ key: String, _ standard: String) -> Self {
        Self(
            key: key, standard: .text(standard), good: [.text("00:00"), .text("23:59"), .text("09:05")],
            bad: [
                .text("24:00"), .text("9:00"), .text("09:60"), .text("09:00:00"), .text("09.00"),
                .text(" 09:00"), .text(""), .integer(540), .null,
            ])
    }

    private static let options: [PreferenceValue] = ["tomorrow", "next_period", "1", "60", "1440"].map {
        .text($0)
    }
    private static let noOptions: [PreferenceValue] =
        ["0", "01", "060", "1441", "-1", "60.0", "", " 60", "period:1", "Tomorrow"].map { .text($0) }
        + [.integer(60), .null]

    static let display: PreferenceValue = .object([
        "trailingDot": .flag(true), "badgeStyle": .text("words"), "colorTitle": .flag(false),
        "rightBorder": .flag(false), "colorCheckbox": .flag(true),
    ])

    static func color(_ name: String, _ color: String) -> PreferenceValue {
        .object(["name": .text(name), "color": .text(color)])
    }

    static let all: [Self] = [
        Self(
            key: "default_grouping", standard: .text("project"),
            good: ["slot", "project", "new", "unified"].map { .text($0) },
            turned: [(.text("time"), .text("project"))],
            bad: [.text("reminders"), .text("recent"), .text(""), .null, .integer(1)]),
        words(
            "default_sort", "due_date",
            ["due_date", "priority", "title", "age", "modified", "original_due", "ai_insights"]),
        flag("default_sort_reversed", false),
        integer("project_preview_count", .integer(6), 1, 50, null: false),
        flag("filters_expanded", false), flag("track_expanded", false), flag("quotas_details", false),
        Self(
            key: "label_config", standard: .list([]),
            good: [
                .list([]), .list([color("Home", "red"), color("ai-added", "gray")]),
                .list((1...50).map { color("\($0)", "blue") }),
                .list([color(String(repeating: "ä", count: 100), "pink")]),
            ],
            turned: [(.list([color("  Home ", "red")]), .list([color("Home", "red")]))],
            bad: [
                .list((1...51).map { color("\($0)", "blue") }), .list([color("", "red")]),
                .list([color("a\u{0}b", "red")]), .list([color("   ", "red")]),
                .list([color(String(repeating: "x", count: 101), "red")]),
                .list([color("Home", "black")]), .list([color("Home", "red"), color("HOME", "blue")]),
                .list([.text("Home")]), .list([.object(["name": .text("Home")])]),
                .list([.object(["name": .integer(1), "color": .text("red")])]), .null, .object([:]),
            ]),
        Self(
            key: "priority_display", standard: display,
            good: [
                display,
                .object([
                    "trailingDot": .flag(false), "badgeStyle": .text("icons"), "colorTitle": .flag(true),
                    "rightBorder": .flag(true), "colorCheckbox": .flag(false),
                ]),
            ],
            turned: [
                (
                    .object([
                        "trailingDot": .flag(true), "colorTitle": .flag(false), "rightBorder": .flag(false),
                        "more": .integer(1),
                    ]), display
                )
            ],
            bad: [
                .object([:]), .null, .list([]),
                .object(["trailingDot": .flag(true), "colorTitle": .flag(false)]),
                .object([
                    "trailingDot": .integer(1), "colorTitle": .flag(false), "rightBorder": .flag(false),
                ]),
                .object([
                    "trailingDot": .flag(true), "colorTitle": .flag(false), "rightBorder": .flag(false),
                    "badgeStyle": .text("none"),
                ]),
                .object([
                    "trailingDot": .flag(true), "colorTitle": .flag(false), "rightBorder": .flag(false),
                    "colorCheckbox": .null,
                ]),
            ]),
        minutes("auto_snooze_minutes", 30), minutes("auto_snooze_low_minutes", 240),
        minutes("auto_snooze_medium_minutes", 60), minutes("auto_snooze_high_minutes", 15),
        minutes("auto_snooze_urgent_minutes", 5),
        Self(
            key: "default_snooze_option", standard: .text("60"), good: options,
            bad: noOptions + [.text("default_option")]),
        Self(
            key: "bulk_snooze_default", standard: .text("next_period"),
            good: options + [.text("default_option")], bad: noOptions),
        words("week_start", "sunday", ["sunday", "monday"]),
        Self(
            key: "timezone", standard: .null,
            good: ["Europe/Berlin", "America/Chicago", "Australia/Lord_Howe", "UTC"].map { .text($0) },
            bad: [
                .text("Mars/Olympus"), .text("GMT+3"), .text("CST"), .text(""), .null, .integer(1),
            ]),
        words("default_horizon", nil, ["days", "weeks", "months", "someday"], null: true),
        words("row_detail", "normal", ["minimal", "normal", "detailed"]),
        Self(
            key: "default_reminder_slot_id", standard: .null, good: [.integer(1), .integer(5), .null],
            bad: [.integer(6), .integer(0), .integer(-1), .text("1"), .flag(true), .number(1.5)]),
        Self(
            key: "quota_prompt_slot_id", standard: .null, good: [.integer(1), .integer(5), .null],
            bad: [.integer(6), .integer(0), .integer(-1), .text("1"), .flag(true), .number(1.5)]),
        flag("quota_prompts_enabled", true),
        time("morning_time", "09:00"), time("wake_time", "07:00"), time("sleep_time", "22:00"),
        flag("notifications_enabled", true), flag("enrichment_notifications_enabled", true),
        flag("sweep_feedback_notifications_enabled", true),
        Self(
            key: "critical_alert_volume", standard: .number(1),
            good: [.number(0), .number(0.5), .number(1)],
            turned: [(.integer(0), .number(0)), (.integer(1), .number(1))],
            bad: [
                .number(1.01), .number(-0.01), .integer(2), .number(.nan), .number(.infinity), .text("1"),
                .flag(true), .null,
            ]),
        Self(
            key: "ai_context", standard: .null,
            good: [.null, .text("I work at night."), .text(String(repeating: "ä", count: 1000))],
            turned: [
                (.text(""), .null), (.text(" \n\t "), .null), (.text("  a  "), .text("a")),
                (
                    .text(" " + String(repeating: "x", count: 1000) + " "),
                    .text(String(repeating: "x", count: 1000))
                ),
            ],
            bad: [.text(String(repeating: "x", count: 1001)), .integer(1), .flag(false), .list([])]),
        words("ai_mode", "on", ["on", "off"]),
        flag("ai_show_scores", true), flag("ai_show_signals", true),
        words("ai_enrichment_mode", "api", ["off", "sdk", "api"]),
        words("ai_quicktake_mode", "api", ["off", "sdk", "api"]),
        words("ai_whats_next_mode", "api", ["off", "sdk", "api"]),
        words("ai_insights_mode", "api", ["off", "sdk", "api"]),
        words("enricher", nil, ["builtin", "mine"], null: true),
        words("enrich_fallback", "none", ["builtin", "none"]),
        words("quick_add_syntax", "todoist", ["todoist", "vikunja", "ticktick", "words"]),
        words("date_order", nil, ["mdy", "dmy", "ymd"], null: true),
        flag("strip_titles", true), flag("ai_wn_commentary_unfiltered", false),
        flag("ai_wn_highlight", true),
        flag("ai_insights_signal_chips", true), flag("ai_insights_score_chips", true),
        integer("ai_enrichment_timeout_ms", .null, 10_000, 300_000, null: true),
        integer("ai_quicktake_timeout_ms", .null, 10_000, 120_000, null: true),
        integer("ai_whats_next_timeout_ms", .null, 10_000, 600_000, null: true),
        integer("ai_insights_timeout_ms", .null, 60_000, 1_800_000, null: true),
    ]
}

@Suite("X-2 Preferences: keys, types, ranges, defaults")
struct PreferenceTests {
    static let context = PreferenceContext(
        periods: Set(periods.map(\.id)), enrichers: ["builtin", "mine"])

    func check(_ sent: [String: PreferenceValue], isDemo: Bool = false) throws(Refusal) -> [String:
        PreferenceValue]
    {
        var context = Self.context
        context.isDemo = isDemo
        return try checkedPreferences(sent, context).get()
    }

    func refusal(_ sent: [String: PreferenceValue], isDemo: Bool = false) -> Refusal? {
        do throws(Refusal) {
            _ = try check(sent, isDemo: isDemo)
            return nil
        } catch { return error }
    }

    @Test func `the table has the keys of api 2_11, each once`() {
        #expect(Preference.all.map(\.key) == PreferenceRow.all.map(\.key))
    }

    @Test(arguments: PreferenceRow.all)
    func `X-2 what is in range is stored, what is not is refused by name`(_ row: PreferenceRow) throws {
        let stored = row.key == "default_reminder_slot_id" ? "quota_prompt_slot_id" : row.key
        for value in row.good { #expect(try check([row.key: value]) == [stored: value], "\(value)") }
        for (sent, kept) in row.turned { #expect(try check([row.key: sent]) == [stored: kept], "\(sent)") }
        for value in row.bad {
            let refused = refusal([row.key: value])
            #expect(refused?.field == row.key, "\(value)")
            #expect(refused?.message.contains(row.key) == true, "\(value)")
            #expect(refused?.status == .invalid)
        }
    }

    @Test(arguments: PreferenceRow.all)
    func `X-2 an account that set nothing has the defaults`(_ row: PreferenceRow) {
        let shown = shownPreferences([:], zone: zone(), Self.context)
        let expected = row.key == "timezone" ? PreferenceValue.text("America/Chicago") : row.standard
        #expect(shown.first { $0.key == row.key }?.value == expected)
    }

    @Test(arguments: PreferenceRow.all)
    func `what is stored is shown`(_ row: PreferenceRow) {
        guard row.key != "timezone" else { return }  // the account's own column
        let stored = row.key == "default_reminder_slot_id" ? "quota_prompt_slot_id" : row.key
        for value in row.good {
            let shown = shownPreferences([stored: value], zone: zone(), Self.context)
            #expect(shown.first { $0.key == row.key }?.value == value)
        }
    }

    @Test func `A66 the first bad key refuses everything, in the order of the table`() {
        let refused = refusal([
            "sleep_time": .text("25:00"), "morning_time": .integer(9), "default_sort": .text("title"),
        ])
        #expect(refused?.field == "morning_time")
    }

    @Test func `A66 unknown, retired and read-only keys are ignored, but one must be known`() throws {
        #expect(
            try check(["triage_mode": .flag(true), "ai_available": .flag(false), "ai_mode": .text("off")])
                == ["ai_mode": .text("off")])
        #expect(try check(["ai_feature_info": .object([:])]).isEmpty)
        #expect(refusal([:])?.status == .invalid)
        #expect(refusal(["triage_mode": .flag(true)])?.status == .invalid)
    }

    @Test func `the default period is one setting under two names`() throws {
        let one = PreferenceValue.integer(1)
        #expect(try check(["default_reminder_slot_id": one]) == ["quota_prompt_slot_id": one])
        #expect(
            try check(["default_reminder_slot_id": one, "quota_prompt_slot_id": one]) == [
                "quota_prompt_slot_id": one
            ])
        #expect(
            refusal(["default_reminder_slot_id": one, "quota_prompt_slot_id": .null])?.field
                == "quota_prompt_slot_id")
        let shown = shownPreferences(["quota_prompt_slot_id": one], zone: zone(), Self.context)
        #expect(shown.filter { $0.key.hasSuffix("slot_id") }.map(\.value) == [one, one])
        let gone = shownPreferences(["quota_prompt_slot_id": .integer(77)], zone: zone(), Self.context)
        #expect(gone.filter { $0.key.hasSuffix("slot_id") }.map(\.value) == [.null, .null])
    }

    @Test func `an enricher that is away stays the chosen one`() {
        let shown = shownPreferences(["enricher": .text("away")], zone: zone(), Self.context)
        #expect(shown.first { $0.key == "enricher" }?.value == .text("away"))
    }

    @Test(arguments: [
        "ai_context", "ai_mode", "ai_enrichment_mode", "ai_quicktake_mode", "ai_whats_next_mode",
        "ai_insights_mode", "ai_enrichment_timeout_ms", "ai_quicktake_timeout_ms",
        "ai_whats_next_timeout_ms", "ai_insights_timeout_ms",
    ])
    func `a demo account may not touch the AI settings`(_ key: String) throws {
        let refused = refusal([key: .null, "default_sort": .text("title")], isDemo: true)
        #expect(refused?.field == key)
        #expect(refused?.status == .forbidden)
    }

    @Test func `a demo account may set everything else`() throws {
        #expect(try check(["default_sort": .text("title")], isDemo: true).count == 1)
        #expect(Preference.all.filter(\.isClosedToDemo).count == 10)
    }

    @Test func `L-1, L-3 a new label_config adds and drops names, never reserved ones`() {
        func config(_ names: [String]) -> PreferenceValue {
            .list(names.map { PreferenceRow.color($0, "red") })
        }
        let change = labelRegistryChange(
            from: config(["Home", "Work", "ai-added"]), to: config(["HOME", "Garden", "AI-thing"]))
        #expect(change.added == ["Garden"])
        #expect(change.dropped == ["Work"])
        #expect(labelRegistryChange(from: nil, to: config(["A"])).added == ["A"])
        #expect(labelRegistryChange(from: config(["A"]), to: .list([])).dropped == ["A"])
    }
}
