import ApiService
import HTTPServer
import Testing

@Suite("A2 The document says what is routed, and only that")
struct DocumentTests {
    /// One operation of the document.
    private struct Operation: Hashable {
        var method: String
        var path: String
        var number = ""
        var id = ""
    }

    /// The operations, read by the document's own layout: paths at two blanks, methods at four.
    private static let documented: [Operation] = {
        let methods: Set = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
        var operations: [Operation] = []
        var path = ""
        var inPaths = false
        for line in OpenAPIDocument.text.split(separator: "\n") {
            if line.first != " " { inPaths = line == "paths:" }
            guard inPaths else { continue }
            let depth = line.prefix { $0 == " " }.count
            let word = line.dropFirst(depth)
            let value = word.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
            if depth == 2 { path = String(word.dropLast()) }
            if depth == 4, word.last == ":", methods.contains(String(word.dropLast())) {
                operations.append(Operation(method: word.dropLast().uppercased(), path: path))
            }
            if depth == 6, word.hasPrefix("x-operation: ") { operations[operations.count - 1].number = value }
            if depth == 6, word.hasPrefix("operationId: ") { operations[operations.count - 1].id = value }
        }
        return operations
    }()

    @Test func `every route is documented, and every documented operation is routed`() throws {
        // The routes that exist only for tests are documented, too (A96).
        let bench = try Bench(["OPENTASK_TEST_MODE": "1"])
        let routed = bench.api.operations.map { "\($0.method) \($0.path)" }
        let documented = Self.documented.map { "\($0.method) \($0.path)" }
        #expect(Set(routed).subtracting(documented) == [], "routed, not documented")
        #expect(Set(documented).subtracting(routed) == [], "documented, not routed")
        #expect(Set(documented).count == documented.count)
        #expect(!documented.isEmpty)
    }

    @Test func `each operation has its number and its name, each once`() {
        let numbers = Self.documented.map(\.number)
        #expect(numbers.allSatisfy { $0.wholeMatch(of: /K?A[1-9]\d?/) != nil }, "\(numbers)")
        #expect(Set(numbers).count == numbers.count, "\(numbers.sorted())")
        let names = Self.documented.map(\.id)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z]+/) != nil }, "\(names)")
        #expect(Set(names).count == names.count, "\(names.sorted())")
    }

    @Test func `it is served as text, may be kept for an hour, and needs no credentials`() throws {
        let bench = try Bench()
        let response = try bench.respond("GET", "/api/openapi")
        #expect(response.status == 200)
        #expect(response.headers.contains { $0 == ("Content-Type", "text/yaml") })
        #expect(response.headers.contains { $0 == ("Cache-Control", "public, max-age=3600") })
        guard case .bytes(let bytes) = response.body else {
            Issue.record("no text")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == OpenAPIDocument.text)
        #expect(OpenAPIDocument.text.hasPrefix("openapi: 3.1"))
        // Its type names no charset, so a client may read it in any.
        #expect(OpenAPIDocument.text.split(separator: "\n").filter { !$0.utf8.allSatisfy { $0 < 128 } } == [])
    }
}
