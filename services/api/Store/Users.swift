public import Domain
import JSON
import SQLite
public import Time

/// Somebody who signs in here.
public struct User: Hashable, Sendable {
    public let id: UserID
    public let name: String
    public let email: String
    public let isDemo: Bool
    public var preferences: Preferences
    /// The dashboard's view (api 2.12).
    public let defaultGrouping: String
}

/// An account that is to be made.
public struct NewUser: Sendable {
    public var name: String
    public var email: String
    /// In the form of `PasswordHash`.
    public var passwordHash: String
    public var zone: Zone

    public init(name: String, email: String, passwordHash: String, zone: Zone) {
        self.name = name
        self.email = email
        self.passwordHash = passwordHash
        self.zone = zone
    }
}

extension Snapshot {
    public func userCount() throws -> Int {
        Int(try db.first("SELECT count(*) FROM user") { $0.int(0) } ?? 0)
    }

    public func user(_ id: UserID) throws -> User? {
        try user(where: "id = ?", .int(id.rawValue))
    }

    /// By name or e-mail, without case.
    public func user(login: String) throws -> User? {
        try user(where: "name_key = ?1 OR email_key = ?1", .text(foldCase(login)))
    }

    /// The account made first.
    public func firstUser() throws -> User? {
        try user(where: "id = (SELECT min(id) FROM user WHERE ?1 IS NULL)", .null)
    }

    public func passwordHash(of id: UserID) throws -> String? {
        try db.first("SELECT password FROM user WHERE id = ?", [.int(id.rawValue)]) { $0.text(0) }
    }

    public func userIDs() throws -> [UserID] {
        try db.query("SELECT id FROM user ORDER BY id") { UserID(rawValue: $0.int(0)) }
    }

    private func user(where condition: String, _ argument: SQLValue) throws -> User? {
        let found = try db.first(
            "SELECT id, name, email, is_demo, timezone FROM user WHERE \(condition)", [argument]
        ) { row in
            (UserID(rawValue: row.int(0)), row.text(1), row.text(2), row.bool(3), row.text(4))
        }
        guard let (id, name, email, isDemo, zoneName) = found else { return nil }
        guard let zone = Zone(zoneName) else { throw UnknownZone(name: zoneName) }
        let stored = try storedPreferences(of: id)
        var preferences = Preferences(zone: zone)
        // Checked on write; a value of another shape leaves the default.
        for (key, value) in stored { preferences.set(key, value) }
        if !allowsQuotaPrompts { preferences.quotaPromptsEnabled = false }
        return User(
            id: id, name: name, email: email, isDemo: isDemo, preferences: preferences,
            defaultGrouping: stored["default_grouping"]?.string ?? "project")
    }
}

extension Transaction {
    /// Makes the account with its Inbox and the five default periods (L-10, M-10).
    ///
    /// - Throws: `SQLiteError.isUnique` when the name or the e-mail is taken.
    public func add(_ user: NewUser) throws -> UserID {
        try db.run(
            """
            INSERT INTO user (name, name_key, email, email_key, password, timezone, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(user.name), .text(foldCase(user.name)), .text(user.email), .text(foldCase(user.email)),
                .text(user.passwordHash), .text(user.zone.name), .int(now.seconds),
            ])
        let id = UserID(rawValue: db.lastInsertRowID)
        try db.run(
            """
            INSERT INTO project (owner_id, name, sort_order, is_inbox, created_at) VALUES (?, 'Inbox', 0, 1, ?)
            """, [.int(id.rawValue), .int(now.seconds)])
        for (label, start) in [
            ("Early morning", "07:00"), ("Morning", "09:00"), ("Midday", "12:00"), ("Afternoon", "16:00"),
            ("Evening", "20:30"),
        ] {
            try db.run(
                "INSERT INTO time_slot (user_id, label, start_time, created_at) VALUES (?, ?, ?, ?)",
                [.int(id.rawValue), .text(label), .text(start), .int(now.seconds)])
        }
        return id
    }

    public func setPassword(of id: UserID, hash: String) throws {
        try db.run("UPDATE user SET password = ? WHERE id = ?", [.text(hash), .int(id.rawValue)])
    }
}

/// The machine's zone database has lost a zone that an account uses.
public struct UnknownZone: Error, CustomStringConvertible {
    public let name: String
    public var description: String {
        "the zone database has no \(name): install tzdata and the program's own ICU"
    }
}

extension Preferences {
    /// Takes one stored preference over.
    fileprivate mutating func set(_ key: String, _ value: JSONValue) {
        func time(_ path: WritableKeyPath<Preferences, LocalTime>) {
            if let time = value.string.flatMap({ LocalTime($0) }) { self[keyPath: path] = time }
        }
        func minutes(_ path: WritableKeyPath<Preferences, Int>) {
            if let number = value.int { self[keyPath: path] = Int(number) }
        }
        func flag(_ path: WritableKeyPath<Preferences, Bool>) {
            if let flag = value.bool { self[keyPath: path] = flag }
        }
        switch key {
        case "week_start": weekStart = value.string == "monday" ? .monday : .sunday
        case "morning_time": time(\.morningTime)
        case "wake_time": time(\.wakeTime)
        case "sleep_time": time(\.sleepTime)
        case "auto_snooze_minutes": minutes(\.repeatIntervalUnset)
        case "auto_snooze_low_minutes": minutes(\.repeatIntervalLow)
        case "auto_snooze_medium_minutes": minutes(\.repeatIntervalMedium)
        case "auto_snooze_high_minutes": minutes(\.repeatIntervalHigh)
        case "auto_snooze_urgent_minutes": minutes(\.repeatIntervalUrgent)
        case "default_snooze_option": defaultSnoozeOption = value.string ?? defaultSnoozeOption
        case "bulk_snooze_default": bulkSnoozeDefault = value.string ?? bulkSnoozeDefault
        case "notifications_enabled": flag(\.notificationsEnabled)
        case "enrichment_notifications_enabled": flag(\.enrichmentNotificationsEnabled)
        case "sweep_feedback_notifications_enabled": flag(\.sweepFeedbackEnabled)
        case "critical_alert_volume": if let volume = value.double { criticalAlertVolume = volume }
        case "default_horizon": defaultHorizon = value.string.flatMap(TaskItem.Horizon.init(rawValue:))
        case "quota_prompts_enabled": flag(\.quotaPromptsEnabled)
        case "quota_prompt_slot_id": defaultPeriod = value.int.map(Period.ID.init(rawValue:))
        default: break
        }
    }
}
