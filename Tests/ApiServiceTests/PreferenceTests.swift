import ApiStore
import Domain
import JSON
import Testing
import Time

@Suite("A65, A66 Preferences")
struct PreferenceTests {
    let bench: Bench
    let ann: Bench.Person

    init() throws {
        bench = try Bench()
        ann = try bench.add()
    }

    func show(_ person: Bench.Person? = nil) throws -> Answer {
        try bench.call("GET", "/api/user/preferences", as: person ?? ann)
    }

    @discardableResult
    func set(_ body: JSONValue, as person: Bench.Person? = nil) throws -> Answer {
        try bench.call("PATCH", "/api/user/preferences", body, as: person ?? ann)
    }

    func feature(_ answer: Answer, _ name: String) -> [String: JSONValue] {
        answer["ai_feature_info"][name]?.object ?? [:]
    }

    func events() throws -> Int { try bench.count("event") }

    /// The table of api 2.11 as text: the living copy of the specification.
    static let keysOfTheSpecification: Set<String> = [
        "default_grouping", "default_sort", "default_sort_reversed", "project_preview_count",
        "filters_expanded", "track_expanded", "quotas_details", "label_config", "priority_display",
        "auto_snooze_minutes", "auto_snooze_low_minutes", "auto_snooze_medium_minutes",
        "auto_snooze_high_minutes", "auto_snooze_urgent_minutes", "default_snooze_option",
        "bulk_snooze_default", "week_start", "timezone", "default_horizon", "row_detail",
        "default_reminder_slot_id", "quota_prompt_slot_id", "quota_prompts_enabled", "morning_time",
        "wake_time", "sleep_time", "notifications_enabled", "enrichment_notifications_enabled",
        "sweep_feedback_notifications_enabled", "critical_alert_volume", "ai_context", "ai_mode",
        "ai_show_scores", "ai_show_signals", "ai_enrichment_mode", "ai_quicktake_mode",
        "ai_whats_next_mode", "ai_insights_mode", "enricher", "enrich_fallback", "quick_add_syntax",
        "date_order", "strip_titles", "ai_wn_commentary_unfiltered", "ai_wn_highlight",
        "ai_insights_signal_chips", "ai_insights_score_chips", "ai_enrichment_timeout_ms",
        "ai_quicktake_timeout_ms", "ai_whats_next_timeout_ms", "ai_insights_timeout_ms", "ai_available",
        "ai_sdk_available", "ai_api_available", "ai_feature_info",
    ]

    @Test func `A65 gives every key, with its default`() throws {
        let answer = try show()
        #expect(answer.status == 200)
        #expect(Set((answer.data.object ?? [:]).keys) == Self.keysOfTheSpecification)
        #expect(answer["timezone"] == "America/Chicago")
        #expect(answer["auto_snooze_minutes"] == 30)
        #expect(answer["critical_alert_volume"].double == 1)
        #expect(
            answer["priority_display"] == [
                "trailingDot": true, "badgeStyle": "words", "colorTitle": false, "rightBorder": false,
                "colorCheckbox": true,
            ])
        #expect(answer["ai_available"] == true)
        #expect(
            feature(answer, "enrichment") == [
                "mode": "api", "provider": "builtin", "provider_display": "Built-in", "model": nil,
                "model_display": nil, "available": true,
            ])
        #expect(
            feature(answer, "insights") == [
                "mode": "api", "provider": nil, "provider_display": nil, "model": nil,
                "model_display": nil, "available": false,
            ])
    }

    @Test func `A66 stores, answers with everything, and tells the pages once`() throws {
        let before = try events()
        let answer = try set(["default_sort": "title", "critical_alert_volume": 0, "row_detail": "minimal"])
        #expect(answer.status == 200)
        #expect(answer["default_sort"] == "title")
        #expect(answer["critical_alert_volume"].double == 0)
        #expect(try events() == before + 1)
        #expect(try show().data == answer.data)
        #expect(try bench.count("undo") == 0)
        #expect(try bench.outbox().isEmpty)
    }

    @Test func `a feature that is off is available, with nulls; without enrichment nothing is`() throws {
        let answer = try set(["ai_insights_mode": "off", "ai_quicktake_mode": "sdk"])
        #expect(feature(answer, "insights")["available"] == true)
        #expect(feature(answer, "quick_take")["mode"] == "sdk")
        #expect(feature(answer, "quick_take")["available"] == false)
        let off = try Bench(["OPENTASK_AI_ENABLED": "false"])
        let bob = try off.add("bob")
        let shown = try off.call("GET", "/api/user/preferences", as: bob)
        #expect(shown["ai_available"] == false)
        #expect(feature(shown, "enrichment")["available"] == false)
        #expect(feature(shown, "enrichment")["provider"] == .null)
    }

    @Test func `what changes nothing tells nobody`() throws {
        try set(["default_sort": "title"])
        let before = try events()
        #expect(try set(["default_sort": "title", "auto_snooze_minutes": 30]).status == 200)
        #expect(try set(["timezone": "America/Chicago", "label_config": []]).status == 200)
        #expect(try events() == before)
    }

    @Test func `one bad key refuses all of them and is named`() throws {
        let answer = try set(["default_sort": "title", "wake_time": "7:00"])
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "wake_time")
        #expect(answer.body?["error"]?.string?.contains("wake_time") == true)
        #expect(try show()["default_sort"] == "due_date")
        #expect(try events() == 0)
    }

    @Test func `a body without any preference is refused`() throws {
        for body: JSONValue in [[:], ["triage": true], [], "title", nil] {
            expectRefused(try set(body), 400, "VALIDATION_ERROR")
        }
        expectRefused(
            try bench.send("PATCH", "/api/user/preferences", [], as: ann), 400, "VALIDATION_ERROR")
        let sentBack = try set(["ai_available": false, "ai_feature_info": 7])
        #expect(sentBack.status == 200)
        #expect(sentBack["ai_available"] == true)
    }

    @Test func `X-2 each key is checked by the server, not only by the rule`() throws {
        let rows: [(String, JSONValue)] = [
            ("auto_snooze_minutes", "30"), ("auto_snooze_minutes", 1441), ("default_sort_reversed", 0),
            ("critical_alert_volume", .double(1.5)), ("default_snooze_option", 60),
            ("timezone", "Mars/Olympus"),
            ("quota_prompt_slot_id", 77), ("enricher", "nobody"), ("label_config", [["name": "x"]]),
            ("default_grouping", "recent"),
        ]
        for (key, bad) in rows {
            expectRefused(try set([key: bad]), 400, "VALIDATION_ERROR", culprit: key)
        }
    }

    @Test func `somebody else's preferences and periods are not mine`() throws {
        let bob = try bench.add("bob")
        let foreign = try bench.store.read { try $0.periods(of: bob.id) }[0].id.rawValue
        expectRefused(
            try set(["default_reminder_slot_id": .int(foreign)]), 400, "VALIDATION_ERROR",
            culprit: "default_reminder_slot_id")
        try set(["default_sort": "age"])
        #expect(try show(bob)["default_sort"] == "due_date")
        expectRefused(try bench.call("GET", "/api/user/preferences"), 401, "UNAUTHORIZED")
        expectRefused(try bench.call("PATCH", "/api/user/preferences", [:]), 401, "UNAUTHORIZED")
    }

    @Test func `the default period has two names`() throws {
        let own = try bench.store.read { try $0.periods(of: ann.id) }[2].id.rawValue
        let answer = try set(["default_reminder_slot_id": .int(own)])
        #expect(answer["quota_prompt_slot_id"].int == own)
        #expect(answer["default_reminder_slot_id"].int == own)
        expectRefused(
            try set(["default_reminder_slot_id": nil, "quota_prompt_slot_id": .int(own)]), 400,
            "VALIDATION_ERROR", culprit: "quota_prompt_slot_id")
        #expect(try set(["quota_prompt_slot_id": nil])["default_reminder_slot_id"] == .null)
    }

    @Test func `the view of the dashboard is told with the account, time as project`() throws {
        #expect(try set(["default_grouping": "slot"]).status == 200)
        #expect(try bench.call("GET", "/api/auth/me", as: ann)["default_grouping"] == "slot")
        #expect(try set(["default_grouping": "time"])["default_grouping"] == "project")
        #expect(try bench.call("GET", "/api/auth/me", as: ann)["default_grouping"] == "project")
    }

    @Test func `a label_config registers what it adds and drops what it loses`() throws {
        func names() throws -> [String] { try bench.store.read { try $0.labels(of: ann.id) }.map(\.name) }
        try bench.make("Old", ["labels": ["errands"], "create_label": true], by: ann)
        try set([
            "label_config": [
                ["name": "Home", "color": "red"], ["name": "errands", "color": "blue"],
                ["name": "ai-added", "color": "gray"],
            ]
        ])
        #expect(try names() == ["errands", "Home"])
        try set(["label_config": [["name": "HOME", "color": "pink"], ["name": "Garden", "color": "green"]]])
        #expect(try names() == ["Garden", "Home"])
        // L-6: tasks keep the name.
        #expect(try bench.item(1).labels == ["errands"])
    }

    @Test func `a demo account is kept from the AI settings`() throws {
        try bench.change("UPDATE user SET is_demo = 1")
        expectRefused(try set(["ai_mode": "off"]), 403, "FORBIDDEN")
        expectRefused(try set(["default_sort": "title", "ai_context": "x"]), 403, "FORBIDDEN")
        #expect(try set(["default_sort": "title"]).status == 200)
    }

    @Test func `A-4 a repeated key gets the answer of the first time`() throws {
        let key = [(name: "Idempotency-Key", value: "k1")]
        let first = try bench.call(
            "PATCH", "/api/user/preferences", ["default_sort": "title"], as: ann, headers: key)
        try set(["default_sort": "age"])
        let again = try bench.call(
            "PATCH", "/api/user/preferences", ["default_sort": "title"], as: ann, headers: key)
        #expect(again.data == first.data)
        #expect(try show()["default_sort"] == "age")
    }

    @Test func `an enricher with a socket can be chosen, and stays chosen while it is away`() throws {
        expectRefused(try set(["enricher": "mine"]), 400, "VALIDATION_ERROR", culprit: "enricher")
        let path = bench.folder + "/run/enrichers/mine.sock"
        try touch(path)
        #expect(try set(["enricher": "mine"])["enricher"] == "mine")
        try remove(path)
        #expect(try show()["enricher"] == "mine")
        #expect(try set(["enricher": nil])["enricher"] == .null)
    }
}
