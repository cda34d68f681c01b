import Domain
import Testing

@Suite("L-10 to L-15 Projects")
struct ProjectTests {
    private let ann = UserID(rawValue: 1)
    private let bob = UserID(rawValue: 2)
    private let inboxes = [
        UserID(rawValue: 1): ProjectID(rawValue: 1), UserID(rawValue: 2): ProjectID(rawValue: 2),
    ]

    private func project(_ id: Int64 = 10, shared: Bool = false, isInbox: Bool = false) -> Project {
        Project(
            id: ProjectID(rawValue: id), owner: ann, name: isInbox ? "Inbox" : "House", shared: shared,
            sortOrder: 3,
            color: "red", isInbox: isInbox, createdAt: at("10:00"))
    }

    private func refusal<T>(_ result: Result<T, Refusal>) -> Refusal? {
        if case .failure(let refusal) = result { refusal } else { nil }
    }

    @Test func `L-10: a name has 1 to 200 characters and is not the Inbox's`() throws {
        #expect(try projectName("  House ").get() == "House")
        #expect(try projectName(String(repeating: "é", count: 200)).get().count == 200)
        for bad in ["", "\t", String(repeating: "x", count: 201), "Inbox", " INBOX "] {
            #expect(refusal(projectName(bad))?.field == "name")
        }
    }

    @Test func `L-10: the Inbox is neither renamed nor shared nor deleted; order and colour are its owner's`()
        throws
    {
        let inbox = project(isInbox: true)
        var patch = ProjectPatch()
        patch.name = "Tray"
        #expect(refusal(edited(inbox, patch))?.field == "name")
        patch = ProjectPatch()
        patch.shared = true
        #expect(refusal(edited(inbox, patch))?.field == "shared")
        #expect(refusal(evacuated(inbox, deleting: true, owners: [ann], inboxes: inboxes)) != nil)
        patch.shared = false
        patch.name = "Inbox"
        patch.sortOrder = 7
        patch.color = .some("blue")
        let after = try edited(inbox, patch).get()
        #expect(after.name == "Inbox" && !after.shared && after.sortOrder == 7 && after.color == "blue")
    }

    @Test func `L-10: an edit touches what it names; null takes a colour away`() throws {
        var patch = ProjectPatch()
        #expect(try edited(project(), patch).get() == project())
        patch.name = " Home "
        patch.color = .some(nil)
        let after = try edited(project(), patch).get()
        #expect(after.name == "Home" && after.color == nil && after.sortOrder == 3)
        patch.name = "inbox"
        #expect(refusal(edited(project(), patch)) != nil)
    }

    @Test func `L-11: unknown and another's private: 404; another's shared: 403; one's own: yes`() throws {
        #expect(refusal(ownProject(nil, of: ann))?.status == .notFound)
        #expect(refusal(ownProject(project(), of: bob))?.status == .notFound)
        #expect(refusal(ownProject(project(shared: true), of: bob))?.status == .forbidden)
        #expect(try ownProject(project(), of: ann).get() == project())
        #expect(project(shared: true).isVisible(to: bob) && !project().isVisible(to: bob))
    }

    @Test func `L-13: a task is not moved to where its owner cannot see it`() throws {
        #expect(refusal(placed(taskOf: bob, in: project()))?.status == .forbidden)
        #expect(try placed(taskOf: bob, in: project(shared: true)).get().shared)
        #expect(try placed(taskOf: ann, in: project()).get().owner == ann)
    }

    @Test func `Golden 114, L-14: of a deleted project each task goes to its own owner's Inbox`() throws {
        let house = project(shared: true)
        let places = try evacuated(house, deleting: true, owners: [ann, bob], inboxes: inboxes).get()
        #expect(places == inboxes)
        #expect(try evacuated(house, deleting: true, owners: [], inboxes: [:]).get().isEmpty)
    }

    @Test func `L-14: if an owner has no Inbox nothing happens`() {
        var some = inboxes
        some[bob] = nil
        let result = evacuated(project(shared: true), deleting: true, owners: [ann, bob], inboxes: some)
        #expect(refusal(result)?.status == .invalid)
    }

    @Test func `L-15: when it is no longer shared, the others' tasks go to their Inboxes, the owner's stay`()
        throws
    {
        let house = project(shared: true)
        let places = try evacuated(house, deleting: false, owners: [ann, bob], inboxes: inboxes).get()
        #expect(places == [bob: ProjectID(rawValue: 2)])
    }

    @Test func `A52: named ones come first, once each; the others keep their order behind them`() throws {
        func ids(_ numbers: Int64...) -> [ProjectID] { numbers.map(ProjectID.init(rawValue:)) }
        #expect(try reordered(ids(1, 2, 3, 4), by: ids(3, 9, 1, 3)).get() == ids(3, 1, 2, 4))
        #expect(try reordered(ids(1, 2), by: ids(1, 2)).get() == ids(1, 2))
        #expect(refusal(reordered(ids(1, 2), by: ids(8, 9)))?.field == "project_ids")
    }
}
