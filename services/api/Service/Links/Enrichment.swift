import ApiStore
import Domain
import Interfaces
import Time

extension EnricherInterface.Context {
    /// What an enricher is told besides the text (enrich 1.2): the wall clock of the moment of typing (of this claim
    /// for a re-run), times of day, names. Never other tasks' words.
    ///
    /// - Parameter moment: what "now" means in the text.
    init(
        of user: UserID, at moment: Instant, prefs: Preferences, reading: ReadingPreferences,
        in snapshot: Snapshot
    ) throws {
        let local = prefs.zone.local(moment)
        let projects = try snapshot.projects(visibleTo: user)
        let periods = try snapshot.periods(of: user)
        self.init(
            nowLocal: "\(local.date)T\(local.time)", timeZone: prefs.zone.name,
            utcOffsetMinutes: prefs.zone.offset(at: moment) / 60,
            morningTime: prefs.morningTime.description,
            wakeTime: prefs.wakeTime.description, sleepTime: prefs.sleepTime.description,
            weekStart: prefs.weekStart.rawValue,
            dateOrder: reading.dateOrder ?? Self.dateOrder(zone: prefs.zone),
            quickAddSyntax: reading.syntax,
            projects: projects.map { EnricherInterface.Project(name: $0.name, shared: $0.shared) },
            labels: try snapshot.labels(of: user).map(\.name).filter { !$0.hasPrefix("ai-") },
            periods: periods.map { EnricherInterface.Period(label: $0.label, start: $0.start.description) },
            defaultPeriod: Domain.defaultPeriod(of: periods, prefs: prefs)?.label,
            userContext: reading.context)
    }

    /// enrich 1.2: how `5/6` is read when the user has not said it: by the country of the zone.
    static func dateOrder(zone: Zone) -> String {
        if monthFirst.contains(zone.name) || monthFirstFolders.contains(where: zone.name.hasPrefix) {
            return "mdy"
        }
        return yearFirst.contains(zone.name) ? "ymd" : "dmy"
    }

    /// The United States and the Philippines, by zone.tab of the zone database.
    private static let monthFirst: Set<String> = [
        "America/Adak", "America/Anchorage", "America/Boise", "America/Chicago", "America/Denver",
        "America/Detroit", "America/Juneau", "America/Los_Angeles", "America/Menominee",
        "America/Metlakatla", "America/New_York", "America/Nome", "America/Phoenix", "America/Sitka",
        "America/Yakutat", "Asia/Manila", "Pacific/Honolulu",
    ]
    private static let monthFirstFolders = [
        "America/Indiana/", "America/Kentucky/", "America/North_Dakota/", "US/",
    ]
    /// China, Japan, Korea, Hungary, Lithuania, Sweden.
    private static let yearFirst: Set<String> = [
        "Asia/Seoul", "Asia/Shanghai", "Asia/Tokyo", "Asia/Urumqi", "Europe/Budapest", "Europe/Stockholm",
        "Europe/Vilnius",
    ]
}

/// The result of an enricher on its way into a task (enrich 1.3, 1.6): fields that the person changed since the claim
/// stay his; all wall times become instants here, by the user's zone.
struct Enrichment {
    private let job: Job
    private let task: TaskItem
    private let result: EnricherInterface.Result
    private let transaction: Transaction
    private let prefs: Preferences
    /// Where the wall times of the answer are (enrich 1.6).
    private let zone: Zone
    private let stripsTitles: Bool

    init(job: Job, task: TaskItem, result: EnricherInterface.Result, in transaction: Transaction) throws {
        self.job = job
        self.task = task
        self.result = result
        self.transaction = transaction
        prefs = try transaction.preferences(of: job.user)
        zone = job.zone ?? prefs.zone
        stripsTitles = try transaction.readingPreferences(of: job.user).stripsTitles
    }

    /// The task with what the text said, and without `ai-to-process`.
    func applied() throws -> TaskItem {
        var patch = TaskPatch()
        fillWords(&patch)
        try fillPlace(&patch)
        fillTimes(&patch)

        var enriched = task
        // T-10: what a rule refuses is dropped, and no more: a target past its deadline first, at last all but the words.
        let drops: [Set<Part>] = [
            [], [.target], [.deadline], [.rule], [.target, .rule], [.deadline, .rule],
            [.target, .deadline, .rule, .quota],
        ]
        for drop in drops {
            let attempt = patch.without(drop)
            if case .success(let edited) = edit(task, attempt, now: transaction.now, prefs: prefs) {
                enriched = edited.task
                break
            }
        }
        keepWhatNoFieldTook(&enriched)
        enriched.labels.removeAll { $0 == SystemLabel.toProcess || $0 == SystemLabel.failed }
        return enriched
    }

    /// enrich 1.4, nothing dropped: the words of a deadline or rule that the item cannot have (D-1, T-2) have left the
    /// title, so the whole text goes into the notes.
    private func keepWhatNoFieldTook(_ enriched: inout TaskItem) {
        let lostDeadline = result.deadline != nil && enriched.deadline == nil && isUntouched(.deadline)
        let lostRule = result.rrule != nil && enriched.rrule == nil && isUntouched(.rrule)
        guard stripsTitles, lostDeadline || lostRule, isUntouched(.title), isUntouched(.notes) else { return }
        enriched.notes = enriched.notes.map { "\($0)\n\n\(job.text)" } ?? job.text
    }

    /// enrich 1.6: whether the field is as it was when the text was claimed.
    private func isUntouched(_ field: TaskField) -> Bool {
        job.snapshot[field].map { $0 == task[field] } ?? false
    }

    private func fillWords(_ patch: inout TaskPatch) {
        // A person who rewrote the title has taken words and notes in hand.
        if isUntouched(.title) {
            if stripsTitles { patch.title = result.title }
            // A title that stays as typed has whatever was moved from it to the notes.
            if let notes = result.notes, isUntouched(.notes), stripsTitles || !job.text.contains(notes) {
                patch.notes = .some(task.notes.map { "\($0)\n\n\(notes)" } ?? notes)
            }
        }
        if result.priority > 0, isUntouched(.priority) {
            patch.priority = TaskItem.Priority(rawValue: result.priority)
        }
        if let minutes = result.autoSnoozeMinutes, isUntouched(.repeatInterval) {
            patch.repeatInterval = .some(minutes)
        }
    }

    private func fillPlace(_ patch: inout TaskPatch) throws {
        if !result.labels.isEmpty, isUntouched(.labels) {
            var labels = task.labels
            for name in result.labels where !labels.contains(where: { $0.lowercased() == name.lowercased() })
            {
                try transaction.register(label: name, of: job.user)
                // Shown as first written (L-1).
                labels.append(try transaction.label(named: name, of: job.user)?.name ?? name)
            }
            patch.labels = labels
        }
        if let name = result.project, isUntouched(.project), task.kind == .task,
            let project = try transaction.projects(visibleTo: job.user).first(where: {
                $0.name.lowercased() == name.lowercased() && !$0.isInbox
            })
        {
            patch.project = project.id
        }
        // A kind is only converted where the request was `auto` (enrich 1.3), which none is.
        if task.kind == .quota, let quota = result.quota, isUntouched(.progressTarget), isUntouched(.rrule) {
            patch.progressTarget = quota.target
            patch.isTracked = true
            patch.rrule = .some(Self.rule(of: quota.period))
        }
    }

    private static func rule(of period: EnricherInterface.Quota.Period) -> String {
        switch period {
        case .day: "FREQ=DAILY"
        case .week: "FREQ=WEEKLY"
        case .month: "FREQ=MONTHLY"
        case .year: "FREQ=YEARLY"
        }
    }

    private func fillTimes(_ patch: inout TaskPatch) {
        guard task.kind != .quota else { return }
        if let rule = result.rrule, isUntouched(.rrule) {
            patch.rrule = .some(rule)
            if let mode = result.recurrenceMode {
                patch.recurrenceMode = TaskItem.RecurrenceMode(rawValue: mode)
            }
        }
        guard task.kind == .task else { return }
        if let moment = result.target, isUntouched(.target), let target = instant(of: moment) {
            patch.target = .some(target)
            patch.resetOriginalTarget = task.target != nil
        }
        if let moment = result.deadline, isUntouched(.deadline), patch.rrule == nil,
            let date = LocalDate(moment.date)
        {
            let time = moment.time.flatMap { LocalTime($0) }
            patch.deadline = .some(time.map { .instant(zone.instant(date, $0)) } ?? .date(date))
        }
    }

    /// enrich 1.3, `target`: without a time it is the morning; when that has passed today, the next full hour that is
    /// at least 60 minutes away, at most `sleep_time`; at or after that, 60 minutes from now.
    private func instant(of moment: EnricherInterface.Moment) -> Instant? {
        guard let date = LocalDate(moment.date) else { return nil }
        if let time = moment.time.flatMap({ LocalTime($0) }) { return zone.instant(date, time) }
        let morning = zone.instant(date, prefs.morningTime)
        let now = transaction.now
        guard morning <= now, date == zone.date(now) else { return morning }
        let inAnHour = now.adding(minutes: 60)
        let sleep = zone.instant(date, prefs.sleepTime)
        guard now < sleep else { return inAnHour }
        let minutes = zone.local(inAnHour).time.minute
        let seconds = zone.local(inAnHour).time.second
        let full =
            minutes == 0 && seconds == 0
            ? inAnHour : inAnHour.adding(seconds: Int64(3600 - minutes * 60 - seconds))
        return min(full, sleep)
    }
}

/// What may have to be dropped of a result.
private enum Part {
    case target, deadline, rule, quota
}

extension TaskPatch {
    fileprivate func without(_ parts: Set<Part>) -> TaskPatch {
        var rest = self
        if parts.contains(.target) {
            rest.target = nil
            rest.resetOriginalTarget = false
        }
        if parts.contains(.deadline) { rest.deadline = nil }
        if parts.contains(.rule) {
            rest.rrule = nil
            rest.recurrenceMode = nil
        }
        if parts.contains(.quota) {
            rest.isTracked = nil
            rest.progressTarget = nil
        }
        return rest
    }
}
