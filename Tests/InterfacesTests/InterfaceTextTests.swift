import Interfaces
import Testing
import Varlink

@Suite("The interface files")
struct InterfaceTextTests {
    @Test(arguments: InterfaceText.all)
    func `a text that is parsed, printed and parsed again says the same`(_ text: String) throws {
        let interface = try VarlinkInterface(parsing: text)
        let printed = interface.formatted()
        let again = try VarlinkInterface(parsing: printed)
        #expect(again.name == interface.name)
        #expect(again.doc == interface.doc)
        #expect(again.members == interface.members)
        #expect(again.formatted() == printed)
    }

    @Test(arguments: InterfaceText.all)
    func `every member says what it is for`(_ text: String) throws {
        let interface = try VarlinkInterface(parsing: text)
        #expect(!interface.doc.isEmpty)
        for method in interface.methods { #expect(!method.doc.isEmpty, "\(interface.name).\(method.name)") }
    }

    /// The names that the code throws are those of the files, and the other way round.
    @Test func `errors have the names that the files declare`() throws {
        let declared = try InterfaceText.all.flatMap { text in
            let interface = try VarlinkInterface(parsing: text)
            return interface.errors.map { "\(interface.name).\($0.name)" }
        }
        let known: [String] = [
            Local.Errors.noSuchUser, Local.Errors.noUserYet, Local.Errors.userExists, Local.Errors.notValid,
            Local.Errors.noSuchEnricher, EnrichQueue.Errors.staleToken, EnrichQueue.Errors.gone,
            EnrichControl.Errors.unknownEnricher, EnrichControl.Errors.enricherFailed,
            Push.Errors.storeFailed, Advisor.Errors.failed,
        ]
        let enrichers = declared.filter { $0.hasPrefix(EnricherInterface.name + ".") }
        #expect(!enrichers.isEmpty)
        #expect(Set(declared).subtracting(enrichers) == Set(known))
    }
}
