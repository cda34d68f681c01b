public import Domain
import SQLite
import Time

// What a change tells: events to open pages, dismissals and badges to devices. All inside the change's transaction.
extension Transaction {
    /// Events for everyone who sees one of the items (D40), dismissals (N-40), badges (N-52).
    ///
    /// - Parameters:
    ///   - undoing: undo and redo dismiss only what is not over target afterwards (N-40).
    ///   - movingPeriods: the periods themselves changed, so that none is finished by what went along.
    func announce(
        _ written: [Written], actor: UserID, undoing: Bool = false, movingPeriods: Bool = false
    ) throws {
        let changed = written.filter(\.isChanged)
        guard !changed.isEmpty else { return }

        var viewers: Set<UserID> = [actor]
        var shared: [ProjectID: Bool] = [:]
        func isShared(_ id: ProjectID) throws -> Bool {
            if let known = shared[id] { return known }
            let answer = try project(id)?.shared ?? false
            shared[id] = answer
            return answer
        }
        var everybody = false
        for item in changed {
            viewers.insert(item.after.owner)
            if try isShared(item.after.project) { everybody = true }
            if let before = item.before, before.project != item.after.project, try isShared(before.project) {
                everybody = true
            }
        }
        if everybody { viewers.formUnion(try userIDs()) }
        for user in viewers.sorted() { try addEvent(.sync, for: user) }

        let finished = undoing || movingPeriods ? [:] : try finishedPeriods(changed)
        let dropped = try dismiss(changed, finished, undoing: undoing)
        for owner in Set(changed.map(\.after.owner)).sorted() {
            try syncBadge(of: owner, always: dropped.contains(owner))
        }
    }

    /// - Returns: whose waiting alerts were dropped; the numbers in them were never told.
    private func dismiss(
        _ changed: [Written], _ finished: [UserID: [Period.ID]], undoing: Bool
    ) throws -> Set<UserID> {
        var gone: [UserID: [TaskItem.ID]] = [:]
        var dropped: Set<UserID> = []
        for item in changed {
            guard let before = item.before else { continue }
            if before.target != item.after.target || before.isOpen != item.after.isOpen {
                // N-41.
                if try dropAlerts(about: item.after.id) { dropped.insert(item.after.owner) }
            }
            let isDismissed =
                undoing
                ? undoDismisses(before: before, after: item.after, now: now)
                : dismisses(before: before, after: item.after, now: now)
            guard isDismissed else { continue }
            gone[item.after.owner, default: []].append(item.after.id)
        }
        for owner in Set(gone.keys).union(finished.keys).sorted() {
            try post(.dismiss(tasks: gone[owner] ?? [], periods: finished[owner] ?? []), to: owner)
        }
        return dropped
    }

    /// N-52: a badge message if the count is not the one last told.
    public func syncBadge(of owner: UserID, always: Bool = false) throws {
        let count = try overTargetCount(of: owner, now: now)
        let told = try db.first("SELECT badge_told FROM user WHERE id = ?", [.int(owner.rawValue)]) {
            $0.optionalInt(0)
        }
        // Nobody was told anything yet and there is nothing to tell: N-53 is about a number that was there.
        let last = (told ?? nil) ?? 0
        guard always || last != Int64(count) else { return }
        try badgeWasTold(count, to: owner)
        try post(.badge(count), to: owner)
    }

    /// Notes that devices have been told this number, by a badge message or inside an alert.
    public func badgeWasTold(_ count: Int, to owner: UserID) throws {
        try db.run("UPDATE user SET badge_told = ? WHERE id = ?", [.int(Int64(count)), .int(owner.rawValue)])
    }
}
