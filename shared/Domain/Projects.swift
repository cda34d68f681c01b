// L-10 to L-15: where items are, who sees it, and where they go when it goes.

public import Time

/// Where items belong (L-10).
public struct Project: Hashable, Sendable {
    public let id: ProjectID
    public let owner: UserID
    public var name: String
    public var shared: Bool
    public var sortOrder: Int
    public var color: String?
    public let isInbox: Bool
    public let createdAt: Instant

    public init(
        id: ProjectID, owner: UserID, name: String, shared: Bool = false, sortOrder: Int = 0,
        color: String? = nil, isInbox: Bool = false, createdAt: Instant
    ) {
        self.id = id
        self.owner = owner
        self.name = name
        self.shared = shared
        self.sortOrder = sortOrder
        self.color = color
        self.isInbox = isInbox
        self.createdAt = createdAt
    }

    /// L-11: shared means visible to every user of this server.
    public func isVisible(to user: UserID) -> Bool { shared || owner == user }
}

/// L-10: trimmed, 1 to 200 characters; nobody else's project is called as the Inbox is.
public func projectName(_ text: String) -> Result<String, Refusal> {
    let name = trimmed(text)
    guard (1...200).contains(name.unicodeScalars.count) else {
        return .failure(Refusal("A project's name has 1 to 200 characters", field: "name"))
    }
    guard !name.unicodeScalars.contains(where: isInvisibleControl) else {
        return .failure(Refusal("The name has control characters", field: "name"))
    }
    guard name.lowercased() != "inbox" else {
        return .failure(Refusal("The name Inbox is reserved", field: "name"))
    }
    return .success(name)
}

/// L-11: whether `user` may edit, share or delete `project`: a project that he cannot see does not exist for him.
public func ownProject(_ project: Project?, of user: UserID) -> Result<Project, Refusal> {
    guard let project, project.isVisible(to: user) else {
        return .failure(Refusal("Project not found", status: .notFound))
    }
    guard project.owner == user else {
        return .failure(Refusal("Only the owner of a project changes it", status: .forbidden))
    }
    return .success(project)
}

/// L-13: whether a task of `owner` may be in `project`.
public func placed(taskOf owner: UserID, in project: Project) -> Result<Project, Refusal> {
    guard project.isVisible(to: owner) else {
        return .failure(Refusal("The task's owner cannot see that project", status: .forbidden))
    }
    return .success(project)
}

/// What an edit of a project may change; nil: left as it is.
public struct ProjectPatch: Hashable, Sendable {
    public var name: String?
    public var shared: Bool?
    public var sortOrder: Int?
    /// `.some(nil)` takes it away.
    public var color: String??

    public init() {}
}

/// L-10: an edit by the owner. The Inbox is neither renamed nor shared.
public func edited(_ project: Project, _ patch: ProjectPatch) -> Result<Project, Refusal> {
    var result = project
    if let name = patch.name, trimmed(name) != project.name {
        guard !project.isInbox else {
            return .failure(Refusal("The Inbox cannot be renamed", field: "name"))
        }
        switch projectName(name) {
        case .success(let name): result.name = name
        case .failure(let refusal): return .failure(refusal)
        }
    }
    if let shared = patch.shared {
        guard !project.isInbox || !shared else {
            return .failure(Refusal("The Inbox cannot be shared", field: "shared"))
        }
        result.shared = shared
    }
    if let order = patch.sortOrder { result.sortOrder = order }
    if let color = patch.color { result.color = color }
    return .success(result)
}

/// L-14, L-15: where the tasks of a project go that is deleted, or no longer shared: each to its own owner's Inbox. Those
/// of the project's owner stay when it is only no longer shared.
///
/// - Parameters:
///   - owners: whose tasks are in it, in any state.
///   - inboxes: the Inboxes of these. One that is missing refuses the whole.
public func evacuated(
    _ project: Project, deleting: Bool, owners: Set<UserID>, inboxes: [UserID: ProjectID]
) -> Result<[UserID: ProjectID], Refusal> {
    guard !deleting || !project.isInbox else { return .failure(Refusal("The Inbox cannot be deleted")) }
    var places: [UserID: ProjectID] = [:]
    for owner in owners where deleting || owner != project.owner {
        guard let inbox = inboxes[owner] else {
            return .failure(Refusal("An owner of tasks in this project has no Inbox"))
        }
        places[owner] = inbox
    }
    return .success(places)
}

/// A52: the user's projects in their new order: those named first, once each, the others behind them as they were.
///
/// - Parameter present: his own, in their order.
public func reordered(_ present: [ProjectID], by asked: [ProjectID]) -> Result<[ProjectID], Refusal> {
    let own = Set(present)
    var named: Set<ProjectID> = []
    let first = asked.filter { own.contains($0) && named.insert($0).inserted }
    guard !first.isEmpty else {
        return .failure(Refusal("None of these projects is yours", field: "project_ids"))
    }
    return .success(first + present.filter { !named.contains($0) })
}
