import JSON
import Testing

@Suite("JSON, written")
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `members and elements are separated by commas`() {
        let written = text { writer in
            writer.object { writer in
                writer.member("a", 1)
                writer.member("b", "x")
                writer.member("c", nil as String?)
                writer.member("d", true)
                writer.member("e", 0.25)
                writer.member("f", Int64.min)
                writer.array("g") { writer in
                    writer.value("y")
                    writer.object { _ in }
                    writer.array { _ in }
                    writer.null()
                    writer.value(false)
                }
                writer.object("h") { $0.member("i", JSONValue.array([1, nil])) }
                writer.member("j", json: "{\"raw\":1}")
                writer.member("k", json: nil)
                writer.member(named: "l\"", ["z": 1, "y": 2])
            }
        }
        #expect(
            written == """
                {"a":1,"b":"x","c":null,"d":true,"e":0.25,"f":-9223372036854775808,"g":["y",{},[],null,false],\
                "h":{"i":[1,null]},"j":{"raw":1},"k":null,"l\\"":{"y":2,"z":1}}
                """)
    }

    @Test(arguments: [
        ("\"\\\u{8}\u{c}\n\r\t\u{1f}\0", #""\"\\\u0008\u000c\n\r\t\u001f\u0000""#),
        ("é😀/\u{2028}", "\"é😀/\u{2028}\""),
        ("", "\"\""),
    ])
    func `strings are escaped`(_ value: String, _ expected: String) throws {
        let written = text { $0.value(value) }
        #expect(written == expected)
        #expect(try JSONValue(parsing: Array(written.utf8)) == .string(value))
    }

    @Test(arguments: [
        (0.0, "0"), (-1.0, "-1"), (1e15, "1000000000000000.0"), (0.1, "0.1"), (.infinity, "null"),
        (-.infinity, "null"),
        (.nan, "null"), (1e-7, "1e-07"),
    ])
    func `numbers are JSON numbers`(_ value: Double, _ expected: String) throws {
        let written = text { $0.value(value) }
        #expect(written == expected)
        if value.isFinite { #expect(try JSONValue(parsing: Array(written.utf8)).double == value) }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `what is written is read back`(_ seed: UInt64) throws {
        var random = Random(state: seed)
        for _ in 0..<500 {
            let value = random.value(depth: 4)
            let written = text { $0.value(value) }
            #expect(try JSONValue(parsing: Array(written.utf8)) == value, "seed \(seed): \(written)")
            // Foundation's decoder as the judge of the writer, and its encoder as the judge of the reader.
            let judged = try JSONCoding.decode(JSONValue.self, from: written.utf8)
            #expect(judged == value, "seed \(seed): \(written)")
            #expect(try JSONValue(parsing: try JSONCoding.encode(value)) == value, "seed \(seed): \(written)")
        }
    }
}

/// Values of every shape; xorshift, so that a seed gives the same ones everywhere.
private struct Random {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }

    mutating func value(depth: Int) -> JSONValue {
        switch next(depth > 0 ? 7 : 5) {
        case 0: .null
        case 1: .bool(next(2) == 0)
        case 2: .int(Int64(next(2_000_001) - 1_000_000))
        case 3: .double(Double(next(1_000_000)) + 0.5)
        case 4: .string(string())
        case 5: .array((0..<next(4)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                Dictionary(
                    (0..<next(4)).map { _ in (string(), value(depth: depth - 1)) }, uniquingKeysWith: { $1 }))
        }
    }

    mutating func string() -> String {
        let alphabet: [Character] = ["a", "\"", "\\", "\n", "\u{1}", "é", "😀", "/", " ", "\u{2028}"]
        return String((0..<next(6)).map { _ in alphabet[next(alphabet.count)] })
    }
}
