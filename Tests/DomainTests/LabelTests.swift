import Domain
import Testing

@Suite("L-1 to L-5 Labels")
struct LabelTests {
    private func checked(
        _ labels: [String], known: [String] = [], create: Bool = false, registry: [String] = []
    ) -> Result<CheckedLabels, Refusal> {
        checkedLabels(labels, known: known, create: create) { name in
            registry.first { $0.lowercased() == name.lowercased() }
        }
    }

    @Test func `L-1: a name is trimmed and has 1 to 100 characters`() {
        #expect((try? labelName(" home\n").get()) == "home")
        #expect((try? labelName(String(repeating: "ä", count: 100)).get())?.count == 100)
        for bad in ["", " \n", String(repeating: "x", count: 101)] {
            #expect(throws: Refusal.self) { try labelName(bad).get() }
        }
    }

    @Test func `L-1: names are compared without case and shown as first written`() throws {
        let labels = try checked([" HOME ", "Äpfel", "home"], registry: ["Home", "äPFEL"]).get()
        #expect(labels == CheckedLabels(labels: ["Home", "äPFEL"]))
    }

    @Test func `Golden 113, L-2: a new label without the flag is refused by name, with it it is registered`()
        throws
    {
        #expect(throws: Refusal.self) { try checked(["groseries"]).get() }
        guard case .failure(let refusal) = checked(["groseries", "home", "wrok"], registry: ["home"]) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.status == .invalid && refusal.field == "labels")
        #expect(refusal.message.contains("groseries") && refusal.message.contains("wrok"))
        #expect(!refusal.message.contains("home"))
        let created = try checked(["groseries", "home"], create: true, registry: ["home"]).get()
        #expect(created.labels == ["groseries", "home"])
        #expect(created.new == ["groseries"])
    }

    @Test func `L-2: what is on the item already is never checked`() throws {
        let labels = try checked(["OLD", "home"], known: ["old", "ai-strange"], registry: ["home"]).get()
        #expect(labels == CheckedLabels(labels: ["old", "home"]))
        #expect(try checked(["ai-strange"], known: ["ai-strange"]).get().labels == ["ai-strange"])
    }

    @Test func `L-2: a name that is too long is not registered`() {
        let long = String(repeating: "x", count: 101)
        #expect(throws: Refusal.self) { try checked([long], create: true).get() }
    }

    @Test func `L-3: the six names of the server are always valid, any other ai- name never`() throws {
        let six = ["ai-to-process", "ai-failed", "ai-locked", "ai-added", "ai-proposed", "ai-monitored"]
        #expect(SystemLabel.all == Set(six))
        #expect(try checked(six + ["AI-Added"]).get() == CheckedLabels(labels: six))
        for name in ["ai-mine", "AI-mine", "ai-"] {
            #expect(throws: Refusal.self) { try checked([name], create: true).get() }
            #expect(throws: Refusal.self) { try checked([name], create: true, registry: [name]).get() }
            #expect(throws: Refusal.self) { try labelName(name).get() }
        }
    }

    @Test func `L-4: confirming swaps ai-proposed for ai-added, nothing else; twice is once`() {
        let once = confirmedLabels(["a", "ai-proposed", "ai-monitored"])
        #expect(once == ["a", "ai-added", "ai-monitored"])
        #expect(confirmedLabels(once) == once)
        #expect(confirmedLabels(["ai-added", "ai-proposed"]) == ["ai-added"])
        #expect(confirmedLabels(["b", "a"]) == ["b", "a"])
    }

    @Test func `L-5: labels come off and on without case, without duplicates, in their order`() {
        #expect(editedLabels(["c", "A", "b"], removing: ["a ", "x"]) == ["c", "b"])
        #expect(editedLabels(["c", "A"], adding: ["a", "d", "D"]) == ["c", "A", "d"])
        #expect(editedLabels(["a", "b"], removing: ["A"], adding: ["A"]) == ["b", "A"])
        #expect(editedLabels(["b", "a"]) == ["b", "a"])
    }
}
