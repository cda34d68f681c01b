import ApiStore
import Domain

// What people do with projects: not in the undo history (U-10). Whoever sees one of them is told (D40).
extension TaskActions {
    /// A51. Without a colour it gets one that none of the user's projects has.
    func addProject(
        name: String, shared: Bool, order: Int?, color: String?, caller: Caller
    ) throws -> Project {
        try write { transaction in
            let used = Set(try transaction.projects(of: caller.id).compactMap(\.color))
            let free = Palette.colors.filter { !used.contains($0) }
            let id = try transaction.addProject(
                name: name, owner: caller.id, shared: shared, sortOrder: order,
                color: color ?? free.randomElement() ?? Palette.colors.randomElement())
            try transaction.announce(projectsOf: caller.id, shared: shared)
            return try ownProject(try transaction.project(id), of: caller.id).orFailure()
        }
    }

    /// A54.
    func editProject(_ id: ProjectID, _ patch: ProjectPatch, caller: Caller) throws -> Project {
        try write { transaction in
            let project = try ownProject(try transaction.project(id), of: caller.id).orFailure()
            let after = try edited(project, patch).orFailure()
            guard after != project else { return project }
            var guests: [UserID: ProjectID] = [:]
            if project.shared, !after.shared {  // L-15
                let owners = try transaction.taskOwners(in: id)
                guests = try evacuated(
                    project, deleting: false, owners: owners, inboxes: try transaction.inboxes(of: owners)
                ).orFailure()
                _ = try transaction.moveTasks(from: id, to: guests)
            }
            try transaction.update(after)
            try transaction.announce(
                projectsOf: caller.id, shared: project.shared || after.shared, others: guests.keys)
            return after
        }
    }

    /// A55, L-14.
    ///
    /// - Returns: what the project was, and how many tasks were moved.
    func removeProject(_ id: ProjectID, caller: Caller) throws -> (Project, moved: Int) {
        try write { transaction in
            let project = try ownProject(try transaction.project(id), of: caller.id).orFailure()
            let owners = try transaction.taskOwners(in: id)
            let places = try evacuated(
                project, deleting: true, owners: owners, inboxes: try transaction.inboxes(of: owners)
            ).orFailure()
            let moved = try transaction.moveTasks(from: id, to: places)
            try transaction.remove(id)
            try transaction.announce(projectsOf: caller.id, shared: project.shared, others: owners)
            return (project, moved)
        }
    }

    /// A52.
    ///
    /// - Returns: how many of the caller's projects were named.
    func reorderProjects(_ ids: [ProjectID], caller: Caller) throws -> Int {
        try write { transaction in
            let own = try transaction.projects(of: caller.id)
            let order = try reordered(own.map(\.id), by: ids).orFailure()
            let byID = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0) })
            var changed: [Project] = []
            for (place, id) in order.enumerated() {
                guard var project = byID[id], project.sortOrder != place else { continue }
                project.sortOrder = place
                try transaction.update(project)
                changed.append(project)
            }
            if !changed.isEmpty {
                try transaction.announce(projectsOf: caller.id, shared: changed.contains(where: \.shared))
            }
            return Set(ids).intersection(byID.keys).count
        }
    }
}
