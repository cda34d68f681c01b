import FoundationEssentials
import JSON
import Synchronization
import TestSupport
import Testing
import Varlink

/// Together a million random mutations. The seed is printed; with `FUZZ_SEED` set to it, the same ones come again.
@Suite("Varlink: a million mutations")
struct MutationTests {
    static let seed =
        ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: .min ... .max)

    @Test func `framing cuts any bytes where their NULs are, however they arrive`() throws {
        print("FUZZ_SEED=\(MutationTests.seed)")
        var mutator = Mutator(seed: MutationTests.seed, words: ["\0", "\0\0", "{}", "x"])
        let original = Array("{\"method\":\"a\"}\0{}\0\0a longer message, for a change\0".utf8)
        let limit = 40
        for round in 0..<400_000 {
            var bytes = original
            mutator.mutate(&bytes)
            let cut = mutator.number(below: bytes.count + 1)
            var frames = MessageFrames(limit: limit)
            var got: [[UInt8]] = []
            var isTooLarge = false
            do {
                for part in [bytes[..<cut], bytes[cut...]] {
                    frames.append(part)
                    while let message = try frames.next() { got.append(message) }
                }
            } catch {
                isTooLarge = true
            }
            var expected = bytes.split(separator: 0, omittingEmptySubsequences: false)
            let rest = expected.removeLast()
            let firstTooLarge = expected.firstIndex { $0.count > limit }
            guard
                got.elementsEqual(expected.prefix(firstTooLarge ?? expected.count), by: { $0 == Array($1) }),
                isTooLarge == (firstTooLarge != nil || rest.count > limit)
            else {
                Issue.record("seed \(MutationTests.seed), round \(round): \(bytes), cut at \(cut)")
                return
            }
        }
    }

    static let calls = [
        #"{"method":"org.example.test.Echo","parameters":{"text":"a\u00e9\n"},"more":false}"#,
        #"{"method":"org.example.test.Sum","parameters":{"inner":{"numbers":[{"number":-1},{"number":2e3}]}},"oneway":true}"#,
        #"{"parameters":{"number":2},"more":true,"method":"org.example.test.Count","x":[null,{"y":[1.5]},"é"]}"#,
    ].map { Array($0.utf8) }

    @Test func `a mutated call is answered or ends the connection, never the service`() throws {
        let router = try Service().router()
        var mutator = Mutator(
            seed: MutationTests.seed,
            words: [
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "1", "-", ".", "e", "null",
                "true", "\"method\":",
                "\"more\":", "\"oneway\":", "\"parameters\":", "é", "\u{FEFF}", " ", "\n", "{\"a\":", "[[",
            ])
        var answered = 0
        var ended = 0
        for round in 0..<400_000 {
            var bytes = MutationTests.calls[mutator.number(below: MutationTests.calls.count)]
            mutator.mutate(&bytes)
            let (replies, staysOpen) = router.answer(bytes)
            let isIgnored = !staysOpen && replies.isEmpty
            // What Foundation takes for no object must be ignored; what is read whole as an object must not be. (The
            // second takes long, so it is asked now and then.)
            guard isIgnored || MutationTests.isObject(bytes, whole: false) || MutationTests.isOpinion(bytes),
                !isIgnored || round % 20 != 0 || !MutationTests.isObject(bytes, whole: true)
                    || MutationTests.isOpinion(bytes)
            else {
                Issue.record(
                    "seed \(MutationTests.seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
            if staysOpen { answered += 1 } else { ended += 1 }
        }
        // Both ways are trodden often, or this test tests little.
        #expect(answered > 40_000)
        #expect(ended > 40_000)
    }

    /// Where readers of JSON differ. Half a surrogate pair is text to RFC 8259 but no string to Swift: such a member is
    /// passed over. And Foundation takes `[1,]` and a byte order mark, which are no JSON.
    static func isOpinion(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
        return text.contains("\\ud") || text.contains(",]") || text.contains(",}")
            || bytes.starts(with: [0xEF, 0xBB, 0xBF])
    }

    /// What another reader says of it: Foundation's, which looks only into what it is asked for, or that of `JSONValue`.
    static func isObject(_ bytes: [UInt8], whole: Bool) -> Bool {
        struct Anything: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }
            enum Key: CodingKey {}
        }
        do {
            if whole {
                guard case .object = try JSONValue(parsing: bytes) else { return false }
            } else {
                _ = try JSONDecoder().decode(Anything.self, from: Data(bytes))
            }
            return true
        } catch {
            return false
        }
    }

    @Test func `a mutated interface is refused or prints and parses back to itself`() throws {
        var mutator = Mutator(
            seed: MutationTests.seed,
            words: [
                "(", ")", "[]", "[string]", "?", ":", ",", "->", "type ", "method ", "error ", "int", "T",
                "a", "_", "#", "\n",
                "\n\n", ".", "-", "é", "\r\n",
            ])
        let original = Array(
            "# D\ninterface a.b\ntype T (a: ?[]int, b: (x, y))\n# E\nmethod M(t: T) -> ()\nerror E (c: string)\n"
                .utf8)
        var accepted = 0
        for round in 0..<200_000 {
            var bytes = original
            mutator.mutate(&bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let interface = try? VarlinkInterface(parsing: text) else { continue }  // refused
            accepted += 1
            let again = try? VarlinkInterface(parsing: interface.formatted())
            guard again?.members == interface.members, again?.name == interface.name,
                again?.doc == interface.doc
            else {
                Issue.record("seed \(MutationTests.seed), round \(round): \(text)")
                return
            }
        }
        #expect(accepted > 4_000)
        #expect(accepted < 190_000)
    }
}
