import JSON
import Synchronization
import Varlink

/// org.varlink.certification, the interface that the makers of Varlink libraries test each other with: each method
/// gives a value of another shape, which the client has to bring to the next one, unharmed and in order.
final class Certification: Sendable {
    private static let name = "org.varlink.certification"
    private static let methods = (1...11).map { "Test" + ($0 < 10 ? "0" : "") + "\($0)" } + ["End"]

    private struct State {
        var clients = 0
        /// The method that each client has to call next.
        var next: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func register(on router: inout VarlinkRouter, text: String) throws {
        router.add(try VarlinkInterface(parsing: text))
        router.handle(Start.self) { _, _ in
            Start.Reply(
                client_id: self.state.withLock { state in
                    state.clients += 1
                    state.next["client \(state.clients)"] = 0
                    return "client \(state.clients)"
                })
        }
        register(Test01.self, on: &router, wants: [:], gives: ["bool": true])
        register(Test02.self, on: &router, wants: ["bool": true], gives: ["int": 1])
        register(Test03.self, on: &router, wants: ["int": 1], gives: ["float": .double(1.5)])
        register(Test04.self, on: &router, wants: ["float": .double(1.5)], gives: ["string": "ping"])
        register(Test05.self, on: &router, wants: ["string": "ping"], gives: Certification.four)
        register(Test06.self, on: &router, wants: Certification.four, gives: ["struct": Certification.four])
        register(
            Test07.self, on: &router, wants: ["struct": Certification.four], gives: ["map": Certification.map]
        )
        register(
            Test08.self, on: &router, wants: ["map": Certification.map], gives: ["set": Certification.set])
        register(
            Test09.self, on: &router, wants: ["set": Certification.set],
            gives: ["mytype": Certification.mixed])
        router.stream(Test10.self) { parameters, call, replies in
            try self.check(parameters, call, wants: ["mytype": Certification.mixed])
            for number in 1...9 { try replies.send(["string": .string("Reply number \(number)")]) }
            try replies.finish(["string": "Reply number 10"])
        }
        let replies = (1...10).map { JSONValue.string("Reply number \($0)") }
        register(Test11.self, on: &router, wants: ["last_more_replies": .array(replies)], gives: [:])
        register(End.self, on: &router, wants: [:], gives: ["all_ok": true])
    }

    private func register<M: VarlinkMethod>(
        _ method: M.Type, on router: inout VarlinkRouter, wants: JSONValue, gives: JSONValue
    ) where M.Parameters == JSONValue, M.Reply == JSONValue {
        router.handle(method) { parameters, call in
            try self.check(parameters, call, wants: wants)
            return gives
        }
    }

    /// The right client, the right method, the right values; each error as the interface has it.
    private func check(_ parameters: JSONValue, _ call: VarlinkCall, wants: JSONValue) throws {
        guard let client = parameters["client_id"]?.string else {
            throw VarlinkError.invalidParameter("client_id")
        }
        let method = Certification.methods.firstIndex { call.method == "\(Certification.name).\($0)" }
        try state.withLock { state in
            guard let next = state.next[client] else {
                throw VarlinkError("\(Certification.name).ClientIdError")
            }
            var got = parameters.object ?? [:]
            got["client_id"] = nil
            let isOneway = call.method.hasSuffix("Test11")
            guard next == method, Certification.same(.object(got), wants), call.oneway == isOneway else {
                throw VarlinkError(
                    "\(Certification.name).CertificationError", ["wants": wants, "got": .object(got)])
            }
            state.next[client] = next + 1
        }
    }

    /// Equal, where a member that is null may as well be absent, and 2 may be written 2.0.
    private static func same(_ a: JSONValue, _ b: JSONValue) -> Bool {
        switch (a, b) {
        case (.object(let a), .object(let b)):
            return Set(a.keys).union(b.keys).allSatisfy { same(a[$0] ?? .null, b[$0] ?? .null) }
        case (.array(let a), .array(let b)):
            return a.count == b.count && zip(a, b).allSatisfy(same)
        default:
            return a == b || a.double != nil && a.double == b.double
        }
    }

    private static let four: JSONValue = [
        "bool": false, "int": 2, "float": .double(3.141592653589793), "string": "a lot of string",
    ]
    private static let map: JSONValue = ["foo": "Foo", "bar": "Bar"]
    private static let set: JSONValue = ["one": [:], "two": [:], "three": [:]]
    private static let mixed: JSONValue = [
        "object": ["method": "org.example.Some", "parameters": ["map": map]],
        "enum": "two",
        "struct": ["first": 1, "second": "2"],
        "array": ["one", "two", "three"],
        "dictionary": map,
        "stringset": set,
        "nullable": nil,
        "nullable_array_struct": nil,
        "interface": [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ],
    ]

    /// Goes through the whole interface of somebody else's server at `path`, as a client.
    ///
    /// - Returns: what its End says.
    static func certify(at path: String) throws -> Bool {
        let client = VarlinkClient(path: path)
        guard let id = try client.call(raw: "\(name).Start")["client_id"] else { return false }
        var last: JSONValue = [:]
        for method in methods.dropLast() {
            var parameters = last.object ?? [:]
            parameters["client_id"] = id
            switch method {
            case "Test10":
                var replies: [JSONValue] = []
                try client.stream(raw: "\(name).\(method)", .object(parameters)) { reply in
                    replies.append(reply["string"] ?? nil)
                    return true
                }
                last = ["last_more_replies": .array(replies)]
            case "Test11":
                try client.send(oneway: Test11.self, .object(parameters))
            default:
                last = try client.call(raw: "\(name).\(method)", .object(parameters))
            }
        }
        return try client.call(raw: "\(name).End", ["client_id": id])["all_ok"]?.bool ?? false
    }
}

/// The methods by name; what they carry is compared as JSON, so that no decoding hides a difference.
private protocol CertificationMethod: VarlinkMethod where Parameters == JSONValue, Reply == JSONValue {}

extension CertificationMethod {
    static var name: String { "org.varlink.certification.\(Self.self)" }
}

private enum Start: VarlinkMethod {
    static let name = "org.varlink.certification.Start"
    typealias Parameters = VarlinkEmpty
    struct Reply: Codable { var client_id: String }
}

private enum Test01: CertificationMethod {}
private enum Test02: CertificationMethod {}
private enum Test03: CertificationMethod {}
private enum Test04: CertificationMethod {}
private enum Test05: CertificationMethod {}
private enum Test06: CertificationMethod {}
private enum Test07: CertificationMethod {}
private enum Test08: CertificationMethod {}
private enum Test09: CertificationMethod {}
private enum Test10: CertificationMethod {}
private enum Test11: CertificationMethod {}
private enum End: CertificationMethod {}
