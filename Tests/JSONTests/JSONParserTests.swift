import JSON
import Testing

private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

@Suite("RFC 8259 JSON, read")
struct JSONParserTests {
    @Test(
        arguments: [
            ("null", JSONValue.null), ("true", true), (" false ", false), ("0", 0), ("-0", 0), ("-17", -17),
            ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.0", .double(1)),
            ("1e2", .double(100)),
            ("1E+2", .double(100)), ("-1.5e-3", .double(-0.0015)), ("0.1", .double(0.1)),
            ("5e-324", .double(.leastNonzeroMagnitude)),
            ("\"\"", ""), ("\"a\"", "a"), ("\"\\u00e9\\n\\t\\\"\\\\\\/\\b\\f\\r\"", "é\n\t\"\\/\u{8}\u{c}\r"),
            ("\"\\ud83d\\ude00\"", "😀"), ("\"\\uD834\\uDD1E\"", "𝄞"), ("\"\\u0000\"", "\0"),
            ("\"é😀\u{7f}\"", "é😀\u{7f}"),
            ("[]", []), ("[ ]", []), ("[1,\n2\t,\r3]", [1, 2, 3]), ("[[],{}]", [[], [:]]), ("{}", [:]),
            ("{\"a\" : 1, \"b\":[null]}", ["a": 1, "b": [nil]]), ("{\"\":0}", ["": 0]),
            ("{\"a\":1,\"a\":2}", ["a": 2]),
        ] as [(String, JSONValue)])
    func `what is JSON is read`(_ text: String, _ value: JSONValue) throws {
        #expect(try parse(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "[1,]", "[,1]", "[1 2]", "[1", "]", "[1]]", "{", "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}", "{a:1}", "{'a':1}", "{1:1}", "{\"a\":1 \"b\":2}", "\"", "\"a", "\"\\\"", "\"\\x41\"",
        "\"\\u12\"", "\"\\u12G4\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\ud83dx\"",
        "\"\\ud83d\\n\"", "\"\t\"", "\"\n\"", "\"\0\"", "01", "-01", "-", "+1", ".5", "1.", "1.e2", "1e",
        "1e+",
        "0x10", "1_000", "NaN", "Infinity", "-Infinity", "1e400", "--1", "1 2", "// x\n1", "/* x */1",
        "\u{feff}1", "[1]\0", "\u{a0}1", "'a'",
    ])
    func `what is none is refused`(_ text: String) {
        #expect(throws: JSONSyntaxError.self) { try parse(text) }
    }

    @Test(
        arguments: [
            // Bare continuation, overlong slash, surrogate, beyond U+10FFFF, cut short, Latin-1.
            [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xE9],
        ] as [[UInt8]])
    func `invalid UTF-8 is refused`(_ bytes: [UInt8]) {
        for escape in ["", "\\n"] {
            let text = Array("\"\(escape)".utf8) + bytes + Array("\"".utf8)
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        }
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: bytes) }
    }

    @Test func `500 levels are read, 501 refused, a million do not end the process`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(500))
        #expect(throws: JSONSyntaxError.self) { try parse(nested(501)) }
        #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONSyntaxError.self) { try parse(String(repeating: "{\"a\":", count: 1_000_000)) }
        // Beside each other they are no levels.
        _ = try parse("[" + String(repeating: "[],", count: 10_000) + "[]]")
    }

    @Test func `every prefix of a document is refused`() {
        let document = Array("{\"a\":[1,-2.5e1,\"x\\u00e9\",true,false,null,{}],\"b\":\"é\"}".utf8)
        for count in 0..<document.count {
            #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: Array(document.prefix(count))) }
        }
        #expect(throws: Never.self) { try JSONValue(parsing: document) }
    }

    @Test func `members by name`() throws {
        let value = try parse("{\"s\":\"x\",\"i\":3,\"d\":0.5,\"b\":true,\"n\":null,\"l\":[1]}")
        #expect(value["s"]?.string == "x")
        #expect(value["i"]?.int == 3)
        #expect(value["i"]?.double == 3)
        #expect(value["d"]?.double == 0.5)
        #expect(value["d"]?.int == nil)
        #expect(value["b"]?.bool == true)
        #expect(value["n"]?.isNull == true)
        #expect(value["l"]?.array == [1])
        #expect(value["missing"] == nil)
        #expect(JSONValue.array([])["s"] == nil)
    }
}
