import Sockets
import TestSupport
import Testing
import Varlink

@Suite("Varlink: messages end with NUL")
struct MessageFramesTests {
    static let stream = Array("first\0\0the third\0".utf8)
    static let messages: [[UInt8]] = ["first", "", "the third"].map { Array($0.utf8) }

    @Test(arguments: 0...stream.count)
    func `a stream cut in two anywhere gives the same messages`(cut: Int) throws {
        var frames = MessageFrames(limit: 100)
        var got: [[UInt8]] = []
        for part in [MessageFramesTests.stream[..<cut], MessageFramesTests.stream[cut...]] {
            frames.append(part)
            while let message = try frames.next() { got.append(message) }
        }
        #expect(got == MessageFramesTests.messages)
        #expect(!frames.isInsideMessage)
    }

    @Test func `a stream that comes byte by byte gives the same messages`() throws {
        var frames = MessageFrames(limit: 100)
        var got: [[UInt8]] = []
        for byte in MessageFramesTests.stream {
            frames.append([byte])
            while let message = try frames.next() { got.append(message) }
        }
        #expect(got == MessageFramesTests.messages)
    }

    @Test func `messages of many sizes, many at a time, come out in order`() throws {
        var generator = SeededGenerator(seed: 7)
        let sent = (0..<2_000).map { (number: Int) -> [UInt8] in
            let most = number % 50 == 0 ? 200_000 : 300
            return [UInt8](
                repeating: UInt8(1 + number % 255), count: Int.random(in: 0...most, using: &generator))
        }
        var bytes: [UInt8] = []
        for message in sent {
            bytes.append(contentsOf: message)
            bytes.append(0)
        }
        var frames = MessageFrames(limit: 200_000)
        var next = 0
        var at = 0
        while at < bytes.count {
            let count = min(Int.random(in: 1...50_000, using: &generator), bytes.count - at)
            frames.append(bytes[at..<at + count])
            at += count
            while let message = try frames.next() {
                try #require(message == sent[next])
                next += 1
            }
        }
        #expect(next == sent.count)
    }

    @Test func `the limit counts the message, not its NUL`() throws {
        var frames = MessageFrames(limit: 5)
        frames.append(Array("12345\0".utf8))
        #expect(try frames.next() == Array("12345".utf8))
        frames.append(Array("123456\0".utf8))
        #expect(throws: VarlinkTransportError(.tooLarge, "6 bytes")) { try frames.next() }
    }

    @Test func `a message without end is refused as soon as it is over the limit`() throws {
        var frames = MessageFrames(limit: 5)
        frames.append(Array("12345".utf8))
        #expect(try frames.next() == nil)
        frames.append(Array("6".utf8))
        #expect(throws: VarlinkTransportError(.tooLarge, "a message without end")) { try frames.next() }
    }

    @Test func `the end of a stream is told from its end in a message`() throws {
        for (bytes, isWhole) in [("whole\0", true), ("whole\0half", false)] {
            let (one, other) = try StreamSocket.pair()
            try other.write(Array(bytes.utf8))
            other.close()
            var frames = MessageFrames(limit: 100)
            let first = try frames.next(from: one)
            #expect(first == Array("whole".utf8))
            if isWhole {
                let second = try frames.next(from: one)
                #expect(second == nil)
            } else {
                #expect(throws: VarlinkTransportError(.closed, "in the middle of a message")) {
                    try frames.next(from: one)
                }
            }
        }
    }
}
