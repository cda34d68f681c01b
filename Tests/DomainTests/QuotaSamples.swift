import Domain
import Testing
import Time

/// An open quota of long ago, whose period began at `start`.
func quota(
    _ rrule: String, _ target: Int, _ count: Int = 0, start: Instant, id: Int64 = 1,
    _ change: (inout TaskItem) -> Void = { _ in }
) -> TaskItem {
    var quota = task(id)
    quota.isTracked = true
    quota.rrule = rrule
    quota.progressTarget = target
    quota.progressCurrent = count
    quota.progressPeriodStart = start
    change(&quota)
    return quota
}

func mondays(_ name: String = "America/Chicago") -> Preferences {
    var prefs = prefs(name)
    prefs.weekStart = .monday
    return prefs
}

func key(_ text: String) -> QuotaPromptKey {
    guard let key = QuotaPromptKey(text) else { preconditionFailure("\(text) is no key") }
    return key
}

func logged(_ delta: Int, _ quota: TaskItem, now: Instant, prefs: Preferences = prefs()) throws(Refusal)
    -> TaskItem
{
    try logProgress(delta, on: quota, now: now, prefs: prefs).get().quota
}

/// Acts on a key that must be valid.
func acted(
    _ act: QuotaPromptAct, _ text: String, _ quota: TaskItem, now: Instant, prefs: Preferences = prefs()
) -> TaskItem {
    let refused = refusal(of: key(text), on: quota, caller: owner, now: now, prefs: prefs)
    #expect(refused == nil)
    return acting(act, on: key(text), of: quota, now: now, prefs: prefs)
}

/// The rows of today, as `period number done considered`.
func rows(
    _ quota: TaskItem, now: Instant, prefs: Preferences = prefs(), periods all: [Period] = periods
) -> [String] {
    quotaPrompts(of: [quota], periods: all, now: now, prefs: prefs).map { prompt in
        let period = all.first { $0.id == prompt.period }?.label ?? "Anytime"
        let state = prompt.isWaiting ? "waits" : prompt.done ? "done" : "considered"
        return "\(period) \(prompt.key.number) \(state) \(prompt.current)/\(prompt.target)"
    }
}
