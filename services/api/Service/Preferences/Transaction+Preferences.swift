import ApiStore
import Domain
import JSON
import Time

extension Snapshot {
    /// A65: what is stored for a user, or the default, of every preference.
    func shownPreferences(of user: User, _ context: PreferenceContext) throws -> [(
        key: String, value: PreferenceValue
    )] {
        let stored = try storedPreferences(of: user.id).mapValues { PreferenceValue($0) }
        return Domain.shownPreferences(stored, zone: user.preferences.zone, context)
    }

    func preferenceContext(of user: User, _ enrichers: InstalledEnrichers) throws -> PreferenceContext {
        PreferenceContext(
            periods: Set(try periods(of: user.id).map(\.id)), enrichers: enrichers.names, isDemo: user.isDemo)
    }
}

extension Transaction {
    /// A66: stores what differs, and does what follows from it: label names are registered, targets and looks move
    /// (X-17, X-18, N-10). Not undoable (U-10), one event.
    func change(_ checked: [String: PreferenceValue], of user: User, _ context: PreferenceContext) throws {
        let present = Dictionary(
            try shownPreferences(of: user, context).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let changed = checked.filter { present[$0.key] != $0.value }
        guard !changed.isEmpty else { return }
        let movesPeriods = changed.keys.contains(Preference.zoneKey) || changed.keys.contains("week_start")
        if movesPeriods {
            try rollingOver(quotasOf: user.id) { try store(changed, of: user.id) }
        } else {
            try store(changed, of: user.id)
        }
        if let config = changed[Preference.labelKey] {
            let names = labelRegistryChange(from: present[Preference.labelKey], to: config)
            for name in names.added { try register(label: name, of: user.id) }
            for name in names.dropped {
                if let label = try label(named: name, of: user.id) { try deregister(label: label.id) }
            }
        }
        let before = user.preferences
        let after = try preferences(of: user.id)
        if before.repeatIntervals != after.repeatIntervals { try renewLooks(of: user.id) }
        guard try !followLocalTime(of: user.id, from: before, to: after) else { return }
        try addEvent(.sync, for: user.id)
    }

    private func store(_ changed: [String: PreferenceValue], of user: UserID) throws {
        for (key, value) in changed {
            if key == Preference.zoneKey, let zone = value.text.flatMap({ Zone($0) }) {
                try setZone(zone, of: user)
            } else {
                var writer = JSONWriter()
                writer.value(value.json)
                try setPreference(key, String(decoding: writer.bytes, as: UTF8.self), of: user)
            }
        }
    }

    ///
    ///
    /// - Returns: whether something moved, which tells the pages.
    private func followLocalTime(
        of user: UserID, from before: Preferences, to after: Preferences
    ) throws -> Bool {
        let changesZone = before.zone != after.zone
        guard changesZone || before.morningTime != after.morningTime else { return false }
        let items = try itemsAboutLocalTime(of: user, now: now).map { item in
            ItemChange(
                item,
                changesZone
                    ? changingZone(item, from: before.zone, now: now, prefs: after)
                    : recomputingAutomaticTarget(item, now: now, prefs: after))
        }.filter { $0.before != $0.after }
        guard !items.isEmpty else { return false }
        var change = Change(
            actor: user, action: .edit,
            description: changesZone
                ? "The time zone is \(after.zone.name) now" : "Mornings are at \(after.morningTime) now",
            items: items)
        change.isUndoable = false
        change.isToldToWebhooks = false
        try record(change)
        return true
    }
}

extension Preferences {
    /// T-9: the five that a task without an interval of its own may follow.
    var repeatIntervals: [Int] {
        [
            repeatIntervalUnset, repeatIntervalLow, repeatIntervalMedium, repeatIntervalHigh,
            repeatIntervalUrgent,
        ]
    }
}
