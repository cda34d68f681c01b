import Interfaces
import JSON
import Testing
import Varlink

/// Values made from the interface's own text go through the Swift types and must come out as they went in.
@Suite("The Swift types are those of the interface files")
struct SwiftTypesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var method: String
        var parameters: @Sendable (JSONValue) throws -> JSONValue
        var reply: @Sendable (JSONValue) throws -> JSONValue
        var testDescription: String { method }

        init<M: VarlinkMethod>(_ method: M.Type) {
            self.method = M.name
            parameters = { try SwiftTypesTests.pass($0, through: M.Parameters.self) }
            reply = { try SwiftTypesTests.pass($0, through: M.Reply.self) }
        }
    }

    static let cases: [Case] = [
        Case(Advisor.CheckProvider.self), Case(Advisor.QuickTake.self), Case(Advisor.WhatsNext.self),
        Case(Advisor.Review.self),
        Case(ClockInterface.Watch.self), Case(ClockInterface.GetDue.self), Case(ClockInterface.Report.self),
        Case(ClockInterface.Purge.self), Case(ClockInterface.Housekeep.self),
        Case(EnrichControl.Poke.self), Case(EnrichControl.Status.self), Case(EnrichControl.List.self),
        Case(EnrichControl.Preview.self), Case(EnrichControl.Test.self),
        Case(EnricherInterface.GetCapabilities.self), Case(EnricherInterface.Enrich.self),
        Case(EnricherInterface.Preview.self), Case(EnricherInterface.Cancel.self),
        Case(EnricherInterface.CheckHealth.self),
        Case(EnrichQueue.Claim.self), Case(EnrichQueue.Extend.self), Case(EnrichQueue.Complete.self),
        Case(EnrichQueue.Fail.self),
        Case(Local.Call.self), Case(Local.AddUser.self), Case(Local.CreateToken.self),
        Case(Local.UseEnricher.self), Case(Local.Status.self),
        Case(Push.Deliver.self), Case(Push.TestWebPush.self), Case(Push.GetVapidKey.self),
        Case(Push.Status.self), Case(Push.GetLog.self), Case(Push.GetWebhookLog.self),
        Case(Push.GetChannels.self),
        Case(SchedulerInterface.Status.self),
    ]

    @Test func `every method of every interface has Swift types`() throws {
        let described = try InterfaceText.all.flatMap { text in
            let interface = try VarlinkInterface(parsing: text)
            return interface.methods.map { "\(interface.name).\($0.name)" }
        }
        #expect(described.sorted() == SwiftTypesTests.cases.map(\.method).sorted())
    }

    @Test(arguments: cases)
    func `full values, every word of an enumeration, and values without what is optional`(_ row: Case) throws
    {
        let dot = try #require(row.method.lastIndex(of: "."))
        let interface = try VarlinkInterface(parsing: InterfaceText.named(String(row.method[..<dot])))
        let method = try #require(interface.methods.first { row.method.hasSuffix(".\($0.name)") })
        for turn in 0..<12 {
            let samples = Samples(interface: interface, turn: turn)
            for sample in [
                samples.full(.structure(method.parameters)), samples.least(.structure(method.parameters)),
            ] {
                #expect(try row.parameters(sample) == sample)
            }
            for sample in [samples.full(.structure(method.reply)), samples.least(.structure(method.reply))] {
                #expect(try row.reply(sample) == sample)
            }
        }
    }

    private static func pass<Value: Codable>(_ value: JSONValue, through type: Value.Type) throws -> JSONValue
    {
        let decoded = try JSONCoding.decode(type, from: JSONCoding.encode(value))
        return try JSONValue(parsing: JSONCoding.encode(decoded)).withoutNulls
    }
}

/// Values of an interface's types.
private struct Samples {
    var interface: VarlinkInterface
    /// Which word of an enumeration is taken, counted around.
    var turn: Int

    /// With everything that may be there.
    func full(_ type: VarlinkType) -> JSONValue {
        value(type) {
            full($0)
        } structure: { fields in
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, full($0.type)) })
        }
    }

    /// With nothing that may be absent, and empty lists.
    func least(_ type: VarlinkType) -> JSONValue {
        if case .array = type { return [] }
        return value(type) {
            least($0)
        } structure: { fields in
            let needed = fields.filter { if case .optional = $0.type { false } else { true } }
            return Dictionary(uniqueKeysWithValues: needed.map { ($0.name, least($0.type)) })
        }
    }

    private func value(
        _ type: VarlinkType, _ inner: (VarlinkType) -> JSONValue,
        structure: ([VarlinkType.Field]) -> [String: JSONValue]
    ) -> JSONValue {
        switch type {
        case .bool: .bool(turn % 2 == 0)
        case .int: .int(Int64(41 + turn))
        case .float: .double(0.5)
        case .string: .string("text \(turn)")
        case .object: ["a": 1, "b": ["c": "d"]]
        case .enumeration(let words): .string(words[turn % words.count])
        case .structure(let fields): .object(structure(fields))
        case .array(let element): .array([inner(element), inner(element)])
        case .dictionary(let element): ["key": inner(element)]
        case .optional(let type): inner(type)
        case .named(let name):
            interface.types.first { $0.name == name }.map { inner($0.type) } ?? .null
        }
    }
}

extension JSONValue {
    /// Null and absent mean the same on the wire.
    fileprivate var withoutNulls: JSONValue {
        switch self {
        case .array(let values): .array(values.map(\.withoutNulls))
        case .object(let members): .object(members.filter { !$0.value.isNull }.mapValues(\.withoutNulls))
        default: self
        }
    }
}
