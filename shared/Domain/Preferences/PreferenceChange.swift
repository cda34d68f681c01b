// A66: which preferences a request changes; A65: which ones an account has.

public import Time

/// What a check has to know besides the values.
public struct PreferenceContext: Sendable {
    /// The user's own periods.
    public var periods: Set<Period.ID>
    /// The names of the installed enrichers; `builtin` is always one.
    public var enrichers: Set<String>
    public var isDemo: Bool

    public init(periods: Set<Period.ID> = [], enrichers: Set<String> = ["builtin"], isDemo: Bool = false) {
        self.periods = periods
        self.enrichers = enrichers
        self.isDemo = isDemo
    }
}

/// A66: what is to be stored for a request's members, by key. The first bad one refuses all of them; unknown, retired
/// and read-only keys are ignored, but one that is known there must be.
public func checkedPreferences(
    _ sent: [String: PreferenceValue], _ context: PreferenceContext
) -> Result<[String: PreferenceValue], Refusal> {
    let asked = Preference.all.filter { sent[$0.key] != nil }
    guard !asked.isEmpty || sent.keys.contains(where: Preference.readOnlyKeys.contains) else {
        return .failure(Refusal("The body has no preference"))
    }
    if context.isDemo, let closed = asked.first(where: \.isClosedToDemo) {
        return .failure(
            Refusal("\(closed.key): a demo account cannot change it", field: closed.key, status: .forbidden))
    }
    var kept: [String: PreferenceValue] = [:]
    for preference in asked {
        switch preference.checked(sent[preference.key] ?? .null, context) {
        case .success(let value): kept[preference.key] = value
        case .failure(let refusal): return .failure(refusal)
        }
    }
    if let newer = kept.removeValue(forKey: Preference.periodAlias) {
        guard kept[Preference.periodKey].map({ $0 == newer }) ?? true else {
            return .failure(
                Refusal(
                    "\(Preference.periodKey): differs from \(Preference.periodAlias), and both are one setting",
                    field: Preference.periodKey))
        }
        kept[Preference.periodKey] = newer
    }
    return .success(kept)
}

/// A65: the value of every preference, in the order of the table. A stored value that may not be stored any more, such
/// as a period that is gone, shows as the default.
///
/// - Parameter stored: by key, without the zone, which the account itself has.
public func shownPreferences(
    _ stored: [String: PreferenceValue], zone: Zone, _ context: PreferenceContext
) -> [(key: String, value: PreferenceValue)] {
    Preference.all.map { preference in
        let key = preference.key == Preference.periodAlias ? Preference.periodKey : preference.key
        if key == Preference.zoneKey { return (preference.key, .text(zone.name)) }
        // An enricher that is away for a while is still the one that was chosen.
        if key == "enricher", let name = stored[key]?.text { return (key, .text(name)) }
        guard let value = stored[key], case .success(let kept) = preference.checked(value, context) else {
            return (preference.key, preference.standard)
        }
        return (preference.key, kept)
    }
}

/// What a new `label_config` does to the registry: names that it adds and names that it drops. Reserved ones (L-3) are
/// neither; a name in other letters is the same name (L-1).
public func labelRegistryChange(
    from old: PreferenceValue?, to new: PreferenceValue
) -> (added: [String], dropped: [String]) {
    func names(_ config: PreferenceValue?) -> [String] {
        (config?.list ?? []).compactMap { $0["name"]?.text }.filter { !$0.lowercased().hasPrefix("ai-") }
    }
    let before = names(old)
    let after = names(new)
    let known = Set(before.map { $0.lowercased() })
    let kept = Set(after.map { $0.lowercased() })
    return (
        after.filter { !known.contains($0.lowercased()) }, before.filter { !kept.contains($0.lowercased()) }
    )
}
