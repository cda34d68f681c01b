import JSON
import Testing
import Varlink

@Suite("Varlink: org.varlink.service")
struct IntrospectionTests {
    @Test func `a service says who it is and what it serves`() throws {
        let running = try Running()
        let info = try running.client().call(VarlinkService.GetInfo.self, VarlinkEmpty())
        #expect(info.vendor == "Example")
        #expect(info.product == "Test")
        #expect(info.version == "1.2")
        #expect(info.url == "https://example.org")
        #expect(info.interfaces == ["org.varlink.service", "org.example.test"])
    }

    @Test func `an interface's text is served as it was written`() throws {
        let running = try Running()
        let client = running.client()
        let own = try client.call(
            VarlinkService.GetInterfaceDescription.self, .init(interface: "org.example.test"))
        #expect(own.description == Service.text)
        #expect(throws: VarlinkError.interfaceNotFound("org.example.other")) {
            try client.call(
                VarlinkService.GetInterfaceDescription.self, .init(interface: "org.example.other"))
        }
    }

    @Test func `org.varlink.service describes itself, with the standard's methods and errors`() throws {
        let running = try Running()
        let text = try running.client().call(
            VarlinkService.GetInterfaceDescription.self, .init(interface: "org.varlink.service")
        ).description
        let interface = try VarlinkInterface(parsing: text)
        #expect(interface.name == "org.varlink.service")
        #expect(interface.methods.map(\.name) == ["GetInfo", "GetInterfaceDescription"])
        #expect(
            interface.errors.map(\.name) == [
                "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "InvalidParameter",
                "PermissionDenied", "ExpectedMore",
            ])
        #expect(
            interface.errors.map { $0.parameters.map(\.name) } == [
                ["interface"], ["method"], ["method"], ["parameter"], [], [],
            ])
    }

    @Test func `a router tells which methods lack a handler or a description`() throws {
        let router = try Service().router()
        #expect(router.described.subtracting(router.handled) == ["org.example.test.Missing"])
        #expect(router.handled.subtracting(router.described) == [])
    }
}
