// N-20 to N-28: notifications of reminder periods and their hourly follow-ups.

public import Time

/// A period and what still waits in it today (M-12).
public struct PeriodLoad: Hashable, Sendable {
    public var period: Period
    /// Reminders that wait.
    public var reminders: Int
    /// Quota reminders that wait.
    public var prompts: Int

    public init(period: Period, reminders: Int, prompts: Int) {
        self.period = period
        self.reminders = reminders
        self.prompts = prompts
    }

    var isFinished: Bool { reminders + prompts == 0 }
}

/// What a user has been told of his periods on one local date (N-5).
public struct PeriodMarks: Hashable, Sendable {
    public var notified: Set<Period.ID>
    /// The local hours, 0 to 23, at which follow-ups went out.
    public var followUpHours: [Int]

    public init(notified: Set<Period.ID> = [], followUpHours: [Int] = []) {
        self.notified = notified
        self.followUpHours = followUpHours
    }
}

/// What one check of a user's periods comes to.
public struct PeriodDecision: Hashable, Sendable {
    /// N-20: the periods that start now.
    public var started: [PeriodAlert] = []
    /// N-24.
    public var followUp: FollowUp?

    public var isSilent: Bool { started.isEmpty && followUp == nil }
}

/// Its key is (period, local date).
public struct PeriodAlert: Hashable, Sendable {
    public var period: Period.ID
    public var content: Alert
}

/// Its key is (local date, hour).
public struct FollowUp: Hashable, Sendable {
    public var hour: Int
    public var content: Alert
}

/// N-20 to N-27: what a user's periods notify at `now`.
///
/// - Parameters:
///   - loads: the user's periods, each with what waits in it on today's local date; Anytime is none of them.
///   - marks: of today's local date.
public func periodCheck(
    _ loads: [PeriodLoad], marks: PeriodMarks, now: Instant, prefs: Preferences
) -> PeriodDecision {
    var decision = PeriodDecision()
    guard prefs.notificationsEnabled else { return decision }
    let local = prefs.zone.local(now)
    let byStart = loads.sorted { $0.period.start < $1.period.start }
    for load in byStart where !load.isFinished && !marks.notified.contains(load.period.id) {
        let late = now.seconds(since: prefs.zone.instant(local.date, load.period.start))
        guard (0...lateness).contains(late) else { continue }
        decision.started.append(
            PeriodAlert(period: load.period.id, content: .period(load, body: waitingText(load))))
    }
    if decision.started.isEmpty, local.time.minute == 0,
        permitsFollowUp(at: local.time, loads: byStart, marks: marks, prefs: prefs)
    {
        decision.followUp = followUp(byStart, at: local.time)
    }
    return decision
}

/// When a user's periods must be looked at next: at the next start of any, or at the next hour at which a follow-up is
/// permitted, as things stand. nil without periods.
public func nextPeriodLook(
    _ loads: [PeriodLoad], marks: PeriodMarks, now: Instant, prefs: Preferences
) -> Instant? {
    guard let start = loads.map({ nextStart(of: $0.period, after: now, zone: prefs.zone) }).min() else {
        return nil
    }
    guard prefs.notificationsEnabled else { return start }
    let local = prefs.zone.local(now)
    for hour in (local.time.hour..<24).dropFirst() {
        guard let time = LocalTime(hour: hour, minute: 0) else { break }
        let instant = prefs.zone.instant(local.date, time)
        if instant >= start { break }
        // In a gap the hour does not exist; X-4 has moved it to one that comes by itself.
        guard instant > now, prefs.zone.local(instant).time == time else { continue }
        if permitsFollowUp(at: time, loads: loads, marks: marks, prefs: prefs) { return instant }
    }
    return start
}

/// N-20: five minutes, in seconds.
private let lateness: Int64 = 300

/// N-24, N-26, N-27.
private func permitsFollowUp(
    at time: LocalTime, loads: [PeriodLoad], marks: PeriodMarks, prefs: Preferences
) -> Bool {
    guard isAwake(time, wake: prefs.wakeTime, sleep: prefs.sleepTime),
        // A period's own notification of this minute takes its place, sent or about to be.
        !loads.contains(where: { $0.period.start.minuteOfDay == time.minuteOfDay && !$0.isFinished }),
        loads.contains(where: { $0.period.start <= time && !$0.isFinished }),
        marks.followUpHours.count < allowance(at: time, loads: loads, prefs: prefs)
    else { return false }
    guard let last = marks.followUpHours.max() else { return true }
    return time.hour - last >= max(1, wakingWindow(prefs) / 60 / 3)
}

/// N-26: one is held back for the day's last period, unless nobody is awake when it starts.
private func allowance(at time: LocalTime, loads: [PeriodLoad], prefs: Preferences) -> Int {
    guard let last = loads.map(\.period.start).max(),
        isAwake(last, wake: prefs.wakeTime, sleep: prefs.sleepTime), last > time
    else { return 3 }
    return 2
}

/// N-25: the most recently started unfinished period, and how many others.
private func followUp(_ byStart: [PeriodLoad], at time: LocalTime) -> FollowUp? {
    let unfinished = byStart.filter { $0.period.start <= time && !$0.isFinished }
    guard let latest = unfinished.last else { return nil }
    var body = waitingText(latest)
    switch unfinished.count - 1 {
    case 0: break
    case 1: body += ", and 1 earlier slot"
    case let others: body += ", and \(others) earlier slots"
    }
    return FollowUp(hour: time.hour, content: .period(latest, body: body))
}

/// N-21.
private func waitingText(_ load: PeriodLoad) -> String {
    func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    return switch (load.reminders, load.prompts) {
    case (let r, 0): "\(counted(r, "reminder")) waiting"
    case (0, let q): "\(counted(q, "quota")) waiting"
    case (let r, let q): "\(counted(r, "reminder")) · \(counted(q, "quota")) waiting"
    }
}

extension Alert {
    /// N-22.
    fileprivate static func period(_ load: PeriodLoad, body: String) -> Alert {
        let id = load.period.id.rawValue
        var alert = Alert(
            title: load.period.label, body: body, link: "/reminders?slot=\(id)", category: "SLOT_REMINDER",
            thread: "ot-reminders", collapseID: "slot-\(id)")
        alert.data = [
            "slot_id": .int(id), "slot_label": .text(load.period.label),
            "reminder_count": .int(Int64(load.reminders + load.prompts)),
            "prompt_count": .int(Int64(load.prompts)),
        ]
        alert.onWebPush = false
        return alert
    }
}
