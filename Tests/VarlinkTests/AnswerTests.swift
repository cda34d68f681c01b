import JSON
import Sockets
import Synchronization
import Testing
import Varlink

/// One body at two depths: the router in memory, and the same over a real socket.
enum Depth: String, CaseIterable, CustomTestStringConvertible {
    case memory, socket

    var testDescription: String { rawValue }

    /// Sends messages (JSON texts) and gives all replies until `count` have come.
    func replies(_ count: Int, to texts: [String]) throws -> [JSONValue] {
        switch self {
        case .memory:
            let service = try Service()
            let router = try service.router()
            return try texts.flatMap { text in
                try router.answer(Array(text.utf8)).replies.map { try JSONValue(parsing: $0) }
            }
        case .socket:
            let running = try Running()
            var connection = try running.connect()
            for text in texts { try connection.write(text + "\0") }
            return try (0..<count).map { _ in try connection.reply() ?? "closed" }
        }
    }
}

@Suite("Varlink: calls and their replies")
struct AnswerTests {
    struct Case: CustomTestStringConvertible {
        var call: String
        var reply: JSONValue

        init(_ call: String, _ reply: JSONValue) { (self.call, self.reply) = (call, reply) }

        init(_ call: String, error: String, _ parameters: JSONValue) {
            self.init(call, ["error": .string("org.varlink.service.\(error)"), "parameters": parameters])
        }

        var testDescription: String { call }
    }

    static let cases = [
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":"é\n\u0000\ud83d\ude00"}}"#,
            ["parameters": ["text": "é\n\0😀"]]),
        Case(
            #" { "parameters" : { "text" : "a" } , "method" : "org.example.test.Echo" } "#,
            ["parameters": ["text": "a"]]),
        Case(
            #"{"method":"org.example.test.Sum","parameters":{"inner":{"numbers":[{"number":2},{"number":3}]}}}"#,
            ["parameters": ["number": 5]]),
        // Members and parameters that are not known are passed over, null counts as absent, of two the last counts.
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":"a","new":[{}]},"new":{"x":[1,2.5e3,null]}}"#,
            ["parameters": ["text": "a"]]),
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"more":null,"oneway":null,"upgrade":null}"#,
            ["parameters": ["text": "a"]]),
        Case(
            #"{"method":"org.example.test.Missing","method":"org.example.test.Echo","parameters":{"text":"a"}}"#,
            ["parameters": ["text": "a"]]),
        Case(
            #"{"\u006dethod":"org.example.test.\u0045cho","parameters":{"text":"a"}}"#,
            ["parameters": ["text": "a"]]),
        // A caller that would take more may get one.
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"more":true}"#,
            ["parameters": ["text": "a"]]),
        // Standard errors.
        Case(
            #"{"method":"org.example.other.Echo"}"#, error: "InterfaceNotFound",
            ["interface": "org.example.other"]),
        Case(
            #"{"method":"org.example.test.Ech"}"#, error: "MethodNotFound", ["method": "org.example.test.Ech"]
        ),
        Case(
            #"{"method":"org.varlink.service.Nothing"}"#, error: "MethodNotFound",
            ["method": "org.varlink.service.Nothing"]),
        Case(
            #"{"method":"org.example.test.Missing"}"#, error: "MethodNotImplemented",
            ["method": "org.example.test.Missing"]),
        Case(#"{"method":"Echo"}"#, error: "InvalidParameter", ["parameter": "method"]),
        Case(#"{"method":""}"#, error: "InvalidParameter", ["parameter": "method"]),
        Case(#"{"method":"org.example.test.Echo"}"#, error: "InvalidParameter", ["parameter": "text"]),
        Case(
            #"{"method":"org.example.test.Echo","parameters":null}"#, error: "InvalidParameter",
            ["parameter": "text"]),
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":1}}"#, error: "InvalidParameter",
            ["parameter": "text"]),
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":null}}"#, error: "InvalidParameter",
            ["parameter": "text"]),
        Case(
            #"{"method":"org.example.test.Sum","parameters":{"inner":{}}}"#, error: "InvalidParameter",
            ["parameter": "inner.numbers"]),
        Case(
            #"{"method":"org.example.test.Sum","parameters":{"inner":{"numbers":[{"number":1},{"number":"2"}]}}}"#,
            error: "InvalidParameter", ["parameter": "inner.numbers[1].number"]),
        Case(
            #"{"method":"org.example.test.Sum","parameters":{"inner":{"numbers":[{"number":1.5}]}}}"#,
            error: "InvalidParameter", ["parameter": "inner.numbers[0].number"]),
        Case(#"{"method":"org.example.test.Count","parameters":{"number":3}}"#, error: "ExpectedMore", [:]),
        Case(
            #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"upgrade":true}"#,
            error: "InvalidParameter", ["parameter": "upgrade"]),
        // The method's own errors, and failures of which nothing is said.
        Case(
            #"{"method":"org.example.test.Fail","parameters":{"text":"refused"}}"#,
            ["error": "org.example.test.Refused", "parameters": ["reason": "asked to"]]),
        Case(
            #"{"method":"org.example.test.Fail","parameters":{"text":"the secret"}}"#,
            ["error": "org.opentask.InternalError", "parameters": [:]]),
    ]

    @Test(arguments: Depth.allCases, cases)
    func `each call gets its reply`(depth: Depth, row: Case) throws {
        #expect(try depth.replies(1, to: [row.call]) == [row.reply])
    }

    @Test(arguments: Depth.allCases)
    func `calls that are sent together are answered in order`(depth: Depth) throws {
        let calls = (0..<100).map { #"{"method":"org.example.test.Echo","parameters":{"text":"\#($0)"}}"# }
        let replies = (0..<100).map { JSONValue.object(["parameters": ["text": .string("\($0)")]]) }
        #expect(try depth.replies(100, to: calls) == replies)
    }

    @Test(arguments: Depth.allCases)
    func `an error does not end the calls after it`(depth: Depth) throws {
        let calls = AnswerTests.cases.map(\.call)
        #expect(try depth.replies(calls.count, to: calls) == AnswerTests.cases.map(\.reply))
    }

    @Test(arguments: Depth.allCases)
    func `a stream is replies that continue, and an empty last one`(depth: Depth) throws {
        let call = #"{"method":"org.example.test.Count","parameters":{"number":2},"more":true}"#
        #expect(
            try depth.replies(
                4, to: [call, #"{"method":"org.example.test.Echo","parameters":{"text":"next"}}"#]) == [
                    ["parameters": ["number": 0], "continues": true],
                    ["parameters": ["number": 1], "continues": true],
                    ["parameters": [:]],
                    ["parameters": ["text": "next"]],
                ])
    }

    @Test(arguments: Depth.allCases)
    func `a handler may make a real reply the last one`(depth: Depth) throws {
        let call = #"{"method":"org.example.test.Last","parameters":{"number":1},"more":true}"#
        #expect(
            try depth.replies(2, to: [call]) == [
                ["parameters": ["number": 0], "continues": true],
                ["parameters": ["number": 1]],
            ])
    }

    @Test(arguments: [
        #"{"method":"org.example.test.Echo","parameters":{"text":"a"},"oneway":true}"#,
        #"{"method":"org.example.test.Echo","parameters":{},"oneway":true}"#,
        #"{"method":"org.example.test.Fail","parameters":{"text":"refused"},"oneway":true}"#,
        #"{"method":"org.example.test.Fail","parameters":{"text":"x"},"oneway":true}"#,
        #"{"method":"org.example.test.Count","parameters":{"number":3},"oneway":true}"#,
        #"{"method":"org.example.test.Count","parameters":{"number":3},"oneway":true,"more":true}"#,
        #"{"method":"org.example.other.Echo","oneway":true}"#,
    ])
    func `a oneway call gets neither reply nor error`(call: String) throws {
        let next = #"{"method":"org.example.test.Echo","parameters":{"text":"next"}}"#
        for depth in Depth.allCases {
            #expect(try depth.replies(1, to: [call, next]) == [["parameters": ["text": "next"]]])
        }
    }

    @Test func `a oneway call is done`() throws {
        let running = try Running()
        let client = running.client()
        try client.send(oneway: Service.Echo.self, Service.Text(text: "a"))
        #expect(try client.call(Service.Echo.self, Service.Text(text: "b")).text == "b")
        #expect(running.service.echoed.withLock { $0 } == ["a", "b"])
    }

    @Test func `a failure is told to the service, with what it was`() throws {
        let service = try Service()
        let call = Array(#"{"method":"org.example.test.Fail","parameters":{"text":"the secret"}}"#.utf8)
        let failures = Mutex<[String]>([])
        _ = try service.router().answer(call) { method, error in
            #expect(error as? Service.Broken == Service.Broken(secret: "the secret"))
            failures.withLock { $0.append(method) }
        }
        #expect(failures.withLock { $0 } == ["org.example.test.Fail"])
    }

    @Test func `a reply that is too large is a failure of the service`() throws {
        let running = try Running(limits: VarlinkLimits(messageBytes: 1_000))
        #expect(throws: VarlinkError.internalError) {
            try running.client().call(Service.Large.self, Service.Number(number: 2_000))
        }
        #expect(running.service.failures.withLock { $0.map(\.method) } == ["org.example.test.Large"])
        #expect(try running.client().call(Service.Large.self, Service.Number(number: 900)).text.count == 900)
    }
}
