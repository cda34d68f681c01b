import TestSupport

/// Random changes to a text, by the byte: what a broken or a hostile peer might send.
struct Mutator {
    private var generator: SeededGenerator
    /// Bytes that mean something to the parser under test are tried more often than others.
    private let words: [[UInt8]]

    init(seed: UInt64, words: [String]) {
        generator = SeededGenerator(seed: seed)
        self.words = words.map { Array($0.utf8) }
    }

    mutating func number(below limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

    /// One to four changes.
    mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0...number(below: 4) { change(&bytes) }
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let at = number(below: bytes.count + 1)
        let length = min(number(below: 12), bytes.count - at)
        switch number(below: 6) {
        case 0 where at < bytes.count: bytes[at] = UInt8(number(below: 256))
        case 1 where at < bytes.count: bytes[at] ^= 1 << UInt8(number(below: 8))
        case 2: bytes.removeSubrange(at..<at + length)
        case 3: bytes.insert(contentsOf: words[number(below: words.count)], at: at)
        case 4: bytes.insert(contentsOf: Array(bytes[at..<at + length]), at: number(below: bytes.count + 1))
        default: bytes.replaceSubrange(at..<at + length, with: words[number(below: words.count)])
        }
    }
}
