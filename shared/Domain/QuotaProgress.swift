// logging, and acting on a quota reminder. Whoever calls has closed the periods that ended.

public import Time

/// What logging came to.
public struct Progressed: Hashable, Sendable {
    public var quota: TaskItem
    /// What was really added, negative if taken back; 0: nothing was.
    public var applied: Int

    ///
    public var isMet: Bool { quota.progressCurrent >= quota.progressTarget }
}

/// adds to the count, which never falls below 0.
///
/// - Parameters:
///   - delta: -1,000 to 1,000, not 0.
///   - prefs: the owner's.
public func logProgress(
    _ delta: Int, on quota: TaskItem, now: Instant, prefs: Preferences
) -> Result<Progressed, Refusal> {
    guard quota.deletedAt == nil else { return .failure(.inTrash) }
    guard quota.kind == .quota else {
        return .failure(Refusal("Progress can only be logged on a quota"))
    }
    guard quota.isOpen else { return .failure(.alreadyDone) }
    guard delta != 0, (-1000...1000).contains(delta) else {
        return .failure(Refusal("delta is between -1000 and 1000, and not 0", field: "delta"))
    }
    var after = quota
    var day = quota.quotaDay(prefs.zone.date(now))
    let applied = after.moveCount(by: delta, day: &day)
    after.keep(day)
    return .success(Progressed(quota: after, applied: applied))
}

/// What is done to a quota reminder.
public enum QuotaPromptAct: String, Hashable, Sendable {
    /// Handled for today, no progress.
    case consider
    /// Logged, and handled.
    case did
    /// Waits again, and what its did-it added is taken back.
    case putBack
}

/// why a key cannot be acted on; nil: it can.
///
/// - Parameters:
///   - quota: what the key names, if the caller may see it.
///   - prefs: the caller's.
public func refusal(
    of key: QuotaPromptKey, on quota: TaskItem?, caller: UserID, now: Instant, prefs: Preferences
) -> Refusal? {
    func refuse(_ message: String) -> Refusal { Refusal("\(key): \(message)", field: "keys") }
    guard key.date == prefs.zone.date(now) else { return refuse("is of another day") }
    guard let quota, quota.owner == caller, quota.kind == .quota, let rule = quota.quotaRule else {
        return refuse("is not one of your quotas")
    }
    guard quota.deletedAt == nil else { return refuse("the quota is in the trash") }
    guard quota.isOpen else { return refuse("the quota is done") }
    let numbers = rule.isNumbered ? 1...quota.progressTarget : 0...0
    return numbers.contains(key.number) ? nil : refuse("the quota has no such reminder")
}

/// acts on a reminder that `refusal` let pass.
///
/// - Parameter prefs: the owner's.
public func acting(
    _ act: QuotaPromptAct, on key: QuotaPromptKey, of quota: TaskItem, now: Instant, prefs: Preferences
) -> TaskItem {
    var after = quota
    var day = quota.quotaDay(prefs.zone.date(now))
    switch act {
    case .consider:
        if !day.considered.contains(key) { day.considered.append(key) }
    case .did:
        let isNumbered = key.number > 0
        let missing =
            isNumbered ? max(0, key.number - quota.progressCurrent) : day.did.contains(key) ? 0 : 1
        if !day.did.contains(key) { day.did.append(key) }
        if !day.considered.contains(key) { day.considered.append(key) }
        let applied = after.moveCount(by: missing, day: &day)
        day.didApplied[key] = (day.didApplied[key] ?? 0) + applied
    case .putBack:
        let added = day.applied(key)
        day.forget(key)
        after.moveCount(by: -added, day: &day)
    }
    after.keep(day)
    return after
}

extension TaskItem {
    /// The largest count there is (api 2.1).
    static let largestCount = 10_000

    /// moves the count with the record of the day.
    ///
    /// - Returns: what was really applied.
    @discardableResult
    mutating func moveCount(by delta: Int, day: inout QuotaDayState) -> Int {
        let before = progressCurrent
        progressCurrent = min(Self.largestCount, max(0, before + delta))
        let applied = progressCurrent - before
        day.logged = max(0, day.logged + applied)
        if applied < 0 { day.forgetUnsupported(count: progressCurrent) }
        return applied
    }
}
