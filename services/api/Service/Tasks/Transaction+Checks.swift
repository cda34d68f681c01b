import ApiStore
import Domain
import Time

extension Transaction {
    /// An item that the caller may see and change, at the version that he has seen; a quota with the periods closed that
    /// have ended, which is not what the caller's version is held against.
    ///
    /// - Throws: 404 for what is not his to see (1.13), 409 for another version.
    func item(_ id: TaskItem.ID, for caller: Caller, version: Int?) throws -> TaskItem {
        guard let task = try task(id, visibleTo: caller.id) else { throw Failure.notFound("Task") }
        if let version, version != task.version {
            let prefs = try preferences(of: task.owner)
            throw Failure.conflict(
                "The task was changed meanwhile", reason: "version_conflict",
                current: task.shown(at: now, prefs: prefs).json(zone: prefs.zone))
        }
        return try closingEndedPeriods(of: task)
    }

    /// - Throws: 404 for an unknown project and for another's private one (L-11).
    func visibleProject(_ id: ProjectID, to caller: Caller) throws -> Project {
        guard let project = try project(id), project.isVisible(to: caller.id) else {
            throw Failure.notFound("Project")
        }
        return project
    }

    /// L-1 to L-3: the labels as they were first written; new ones are registered when they may be.
    func checkedLabels(
        _ labels: [String], known: [String], create: Bool, owner: UserID
    ) throws -> [String] {
        let checked = try Domain.checkedLabels(labels, known: known, create: create) {
            try label(named: $0, of: owner)?.name
        }.orFailure()
        for name in checked.new { try register(label: name, of: owner) }
        return checked.labels
    }

    /// T9, enrich 1.6: what a person edits before the text was claimed is taken in hand by him; a person who takes
    /// `ai-to-process` off gives the enrichment up, and one who puts it on asks for it (enrich 1.1).
    ///
    /// - Parameter enabled: the master switch; off, like the owner's own: the label goes, quietly.
    func settleEnrichment(from task: TaskItem, _ after: inout TaskItem, enabled: Bool) throws {
        guard after != task else { return }
        let had = task.labels.contains(SystemLabel.toProcess)
        let has = after.labels.contains(SystemLabel.toProcess)
        let text = task.originalTitle ?? after.title
        if !had, has,
            try !enabled || !readingPreferences(of: task.owner).isOn || after.isLocked
                || text.utf8.count > Self.longestText
        {
            after.labels.removeAll { $0 == SystemLabel.toProcess }
        } else if !had, has {
            after.labels.removeAll { $0 == SystemLabel.failed }
            try addJob(task: task.id, user: task.owner, text: text, isRerun: true)
        } else if had, !has {
            try removeJob(of: task.id)
        } else if had, try !isClaimed(task.id) {
            after.labels.removeAll { $0 == SystemLabel.toProcess }
            try removeJob(of: task.id)
        }
    }

    /// Bytes; a longer text gets no job (enrich 1.7).
    static let longestText = 10_000

    /// N-38: says quietly that a snooze went no further than the deadline.
    func tellStoppedAtDeadline(_ task: TaskItem) throws {
        let prefs = try preferences(of: task.owner)
        guard let deadline = task.deadline else { return }
        guard let alert = Alert.snoozedToDeadline(task, deadline: deadline, now: now, prefs: prefs) else {
            let reason =
                prefs.notificationsEnabled
                ? "notifications of bulk results are off" : "notifications are off"
            try note(.held, .snoozedToDeadline, because: reason, task: task.id, of: task.owner)
            return
        }
        let message = try post(.alert(alert, about: nil), to: task.owner)
        try note(
            .sent, .snoozedToDeadline, because: "the snooze stopped at the deadline", task: task.id,
            of: task.owner, message: message)
    }
}

extension Result where Failure == Refusal {
    /// The value, or the refusal as the API answers it.
    func orFailure() throws(ApiService.Failure) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let refusal): throw ApiService.Failure(refusal)
        }
    }
}

extension Failure {
    init(_ refusal: Refusal) {
        let details = refusal.field.map { [$0: refusal.message] } ?? [:]
        switch refusal.status {
        case .invalid: self = .invalid(refusal.message, details, reason: refusal.reason)
        case .forbidden: self = .forbidden(refusal.message)
        case .notFound: self = .notFound(refusal.message)
        case .conflict: self = .conflict(refusal.message, reason: refusal.reason)
        }
    }
}

extension TaskItem {
    /// enrich 1.1: never to be enriched.
    var isLocked: Bool { labels.contains(SystemLabel.locked) }
}
