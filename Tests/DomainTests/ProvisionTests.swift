import Domain
import Testing

@Suite("A13 A token for the native shell")
struct ProvisionTests {
    @Test func `A13: the four states of a shell`() {
        let two = [Provision.Issued(id: 3, preview: "aaaaaaaa"), .init(id: 5, preview: "bbbbbbbb")]
        #expect(Provision(hasLocal: true, preview: nil, issued: []) == .issue(replacing: nil))
        #expect(Provision(hasLocal: false, preview: nil, issued: []) == .issue(replacing: nil))
        #expect(Provision(hasLocal: true, preview: nil, issued: two) == .active)
        #expect(Provision(hasLocal: true, preview: "bbbbbbbb", issued: two) == .active)
        #expect(Provision(hasLocal: true, preview: "cccccccc", issued: two) == .issue(replacing: nil))
        #expect(Provision(hasLocal: true, preview: "", issued: two) == .issue(replacing: nil))
        #expect(Provision(hasLocal: false, preview: "bbbbbbbb", issued: two) == .issue(replacing: 3))
    }
}
