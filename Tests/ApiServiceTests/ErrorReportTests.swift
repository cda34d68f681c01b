import HTTPServer
import JSON
import Testing

@Suite("A95 Pages report their errors")
struct ErrorReportTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    func report(_ body: JSONValue) throws -> Answer { try bench.call("POST", "/api/errors/report", body) }

    var lines: [String] { bench.log.all.filter { $0.contains("a page has failed") } }

    @Test func `a report is logged, for anybody, with an empty 204`() throws {
        let answer = try report([
            "type": "js_error", "message": "x is not a function", "stack": "at a\nat b",
            "url": "https://tasks.example.org/list?q=secret#top",
        ])
        #expect(answer.status == 204)
        #expect(answer.body == nil)
        #expect(answer.header("Cache-Control") == "no-store")
        let line = try unwrap(lines.first)
        #expect(line.hasPrefix("warning "))
        #expect(line.contains("x is not a function"))
        #expect(line.contains(#"at a\\nat b"#))
        #expect(line.contains("https://tasks.example.org/list"))
        #expect(!line.contains("secret"))
        for type in ["promise_rejection", "react_error", "sw_error"] {
            #expect(try report(["type": .string(type), "message": "m"]).status == 204)
        }
        #expect(lines.count == 4)
    }

    @Test func `what is no report is an empty 400`() throws {
        let bad: [JSONValue] = [
            [:], ["type": "js_error"], ["message": "x"], ["type": "other", "message": "x"],
            ["type": 1, "message": "x"], ["type": "js_error", "message": 5],
            ["type": "js_error", "message": "x", "stack": []], [], "x", nil,
        ]
        for body in bad {
            let answer = try report(body)
            #expect(answer.status == 400, "\(body)")
            #expect(answer.body == nil)
        }
        for text in ["", "{", "{\"type\":\"js_error\",\"message\":\"\u{0}\"", "[[[[", "null"] {
            let answer = try bench.send("POST", "/api/errors/report", Array(text.utf8))
            #expect(answer.status == 400)
            #expect(answer.body == nil)
        }
        let broken = try bench.send("POST", "/api/errors/report", [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D])
        #expect(broken.status == 400)
        #expect(lines.isEmpty)
    }

    @Test func `what is too long is cut: 500, 2000, 500`() throws {
        _ = try report([
            "type": "js_error", "message": .string(String(repeating: "m", count: 100_000)),
            "stack": .string(String(repeating: "s", count: 100_000)),
            "url": .string(String(repeating: "u", count: 100_000)),
        ])
        let line = try unwrap(lines.first)
        for (letter, most) in [("m", 500), ("s", 2000), ("u", 500)] {
            #expect(line.contains("\"" + String(repeating: letter, count: most) + "\""))
        }
    }

    @Test func `nothing in a report can write a line of its own, or move what is read`() throws {
        _ = try report([
            "type": "js_error",
            "message": "a\r\nerror disk is full\u{1B}[2J\u{7}\u{0}\u{202E}b\u{2028}c\u{9B}d\u{FEFF}",
        ])
        let line = try unwrap(lines.first)
        let dangerous: (Unicode.Scalar) -> Bool = {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
                || [0x202E, 0x2028, 0xFEFF].contains($0.value)
        }
        #expect(!line.unicodeScalars.contains(where: dangerous))
        #expect(line.contains("disk is full"))
    }

    @Test func `1_9: the same error is told once in five minutes, and how many were left out with the next`()
        throws
    {
        for _ in 0..<50 { #expect(try report(["type": "js_error", "message": "again"]).status == 204) }
        #expect(lines.count == 1)
        bench.advance(seconds: 299)
        _ = try report(["type": "js_error", "message": "again"])
        #expect(lines.count == 1)
        bench.advance(seconds: 1)
        _ = try report(["type": "js_error", "message": "again"])
        #expect(lines.count == 2)
        #expect(lines[1].contains("50"))
    }

    @Test func `a flood of different errors is cut at twenty`() throws {
        for n in 0..<500 { _ = try report(["type": "sw_error", "message": .string("n\(n)")]) }
        #expect(lines.count == 20)
        bench.advance(seconds: -3600)
        _ = try report(["type": "sw_error", "message": "clock was set back"])
        #expect(lines.count == 21)
        #expect(lines[20].contains("480"))
    }
}
