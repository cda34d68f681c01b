import JSON
import Sockets
import Synchronization
import Testing
import Varlink

@Suite("Varlink: peers that break the protocol or the limits")
struct HostilePeerTests {
    /// Whether the service still answers, on a connection of its own.
    func answers(_ running: Running) throws -> Bool {
        try running.client().call(Service.Echo.self, Service.Text(text: "alive")).text == "alive"
    }

    @Test(arguments: [
        "", " ", "{", "}", "null", "[]", "[{}]", "1", "\"text\"", "nonsense", #"{"method":"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"a"}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"a"},}"#,
        #"{"method":"org.example.test.Echo" "parameters":{}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":'a'}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":01}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":NaN}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"\x"}}"#,
        #"{"method":"org.example.test.Echo","parameters":{"text":"\u12g4"}}"#,
        "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"a\nb\"}}",
        "\u{FEFF}{\"method\":\"org.example.test.Echo\"}",
    ])
    func `what is no JSON object closes the connection, and only that`(message: String) throws {
        let running = try Running()
        var connection = try running.connect()
        try connection.write(message + "\0")
        #expect(try connection.reply() == nil)
        #expect(try answers(running))
    }

    @Test(
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func `bytes that are not UTF-8 close the connection`(bytes: [UInt8]) throws {
        let running = try Running()
        var connection = try running.connect()
        try connection.socket.write(
            Array(#"{"method":"org.example.test.Echo","parameters":{"text":""#.utf8) + bytes
                + Array("\"}}\0".utf8))
        #expect(try connection.reply() == nil)
        #expect(try answers(running))
    }

    @Test(arguments: [
        (#"{}"#, "method"),
        (#"{"method":null}"#, "method"),
        (#"{"method":1}"#, "method"),
        (#"{"method":["org.example.test.Echo"]}"#, "method"),
        (#"{"method":"\ud800"}"#, "method"),
        (#"{"method":"org.example.test.Echo","parameters":[]}"#, "parameters"),
        (#"{"method":"org.example.test.Echo","parameters":"x"}"#, "parameters"),
        (#"{"method":"org.example.test.Echo","more":1}"#, "more"),
        (#"{"method":"org.example.test.Echo","oneway":"true"}"#, "oneway"),
        (#"{"method":"org.example.test.Echo","upgrade":{}}"#, "upgrade"),
    ])
    func `an object that is no call is told what is wrong, then the connection closes`(
        message: String, member: String
    ) throws {
        let running = try Running()
        var connection = try running.connect()
        try connection.write(message + "\0")
        #expect(
            try connection.reply()
                == [
                    "error": "org.varlink.service.InvalidParameter",
                    "parameters": ["parameter": .string(member)],
                ])
        #expect(try connection.reply() == nil)
        #expect(try answers(running))
    }

    /// The deepest JSON that the limit of levels allows, and one more: read into a value, and written again.
    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")], [0, 1])
    func `nesting is taken up to its limit, on a thread's small stack`(
        brackets: (open: String, close: String), over: Int
    ) throws {
        let running = try Running()
        var connection = try running.connect()
        // The message and its parameters are two levels.
        let levels = VarlinkLimits().depth - 2 + over
        let nested =
            String(repeating: brackets.open, count: levels) + "1"
            + String(repeating: brackets.close, count: levels)
        try connection.write(#"{"method":"org.example.test.Keep","parameters":{"value":\#(nested)}}"# + "\0")
        let reply = try connection.reply()
        if over == 0 {
            #expect(reply == ["parameters": ["value": try JSONValue(parsing: Array(nested.utf8))]])
        } else {
            #expect(
                reply == [
                    "error": "org.varlink.service.InvalidParameter",
                    "parameters": ["parameter": "parameters"],
                ])
        }
        #expect(try answers(running))
    }

    @Test func `a message of 16 MiB is taken, one byte more is not`() throws {
        let running = try Running()
        let frame = #"{"method":"org.example.test.Sum","parameters":{"inner":{"numbers":[]},"text":""}}"#
        let fill = VarlinkLimits().messageBytes - frame.utf8.count
        for (count, reply) in [(fill, JSONValue.object(["parameters": ["number": 0]])), (fill + 1, nil)]
            as [(Int, JSONValue?)]
        {
            var connection = try running.connect()
            let text = frame.dropLast(3) + String(repeating: "x", count: count) + #""}}"#
            do {
                try connection.write(text + "\0")
            } catch let error as SocketError {
                #expect(reply == nil && error.isDisconnect)  // closed while we wrote
            }
            #expect(try connection.reply() == reply)
        }
        #expect(try answers(running))
    }

    @Test func `connections beyond the limit are closed at once, and a place that is left is free again`()
        throws
    {
        let running = try Running(limits: VarlinkLimits(connections: 3))
        let call = #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0"
        var inside = try (0..<3).map { _ in try running.connect() }
        for index in inside.indices {
            try inside[index].write(call)
            #expect(try inside[index].reply() == ["parameters": ["text": "a"]])
        }
        var outside = try running.connect()
        #expect(try outside.reply() == nil)

        inside[0].socket.shutdown(.writing)
        #expect(try inside[0].reply() == nil)  // the server has ended it
        var retries = 0
        while true {
            var next = try running.connect()
            // The place is free when the server's thread has ended, which is a moment after we saw the connection's end.
            guard (try? next.write(call)) != nil, let reply = try next.reply() else {
                retries += 1
                try #require(retries < 10_000)
                continue
            }
            #expect(reply == ["parameters": ["text": "a"]])
            break
        }
    }

    @Test func `a peer that does not read is cut off`() throws {
        let running = try Running(limits: VarlinkLimits(stallMilliseconds: 1))
        let connection = try running.connect()
        try connection.write(#"{"method":"org.example.test.Large","parameters":{"number":8000000}}"# + "\0")
        #expect(try connection.socket.wait(until: Deadline(milliseconds: 300_000)) == .hungUp)
        #expect(try answers(running))
    }

    @Test func `a peer that does not read a stream is cut off, and the handler is told`() throws {
        let running = try Running(limits: VarlinkLimits(stallMilliseconds: 1))
        let connection = try running.connect()
        try connection.write(
            #"{"method":"org.example.test.Count","parameters":{"number":100000000},"more":true}"# + "\0")
        #expect(try connection.socket.wait(until: Deadline(milliseconds: 300_000)) == .hungUp)
        #expect(try answers(running))
        #expect(running.service.failures.withLock { $0.isEmpty })
    }

    @Test func `a peer that is not permitted gets PermissionDenied to each call`() throws {
        let asked = Counter()
        let running = try Running(permit: { _ in
            asked.increment()
            return false
        })
        var connection = try running.connect()
        for method in ["org.example.test.Echo", "org.varlink.service.GetInfo", "org.example.none.No"] {
            try connection.write(#"{"method":"\#(method)","parameters":{"text":"a"}}"# + "\0")
            #expect(
                try connection.reply() == [
                    "error": "org.varlink.service.PermissionDenied", "parameters": [:],
                ])
        }
        #expect(asked.value == 1)
        #expect(running.service.echoed.withLock { $0.isEmpty })
        // Nor may it fill our memory.
        do { try connection.write(String(repeating: "x", count: 1 << 20)) } catch {}
        #expect(try connection.reply() == nil)
    }

    @Test func `who connects is known to permit and to the handler`() throws {
        let seen = Peers()
        let running = try Running(permit: { peer in
            seen.add(peer)
            return true
        })
        #expect(try answers(running))
        #expect(seen.all.map(\.pid) == [PeerCredentials.current.pid])
        #expect(seen.all.map(\.uid) == [PeerCredentials.current.uid])
    }

    @Test(arguments: [
        (PeerCredentials(pid: 1, uid: 0, gid: 0), true),
        (PeerCredentials(pid: 1, uid: PeerCredentials.current.uid, gid: 4242), true),
        (PeerCredentials(pid: 1, uid: 4242, gid: 4242), false),
        (PeerCredentials(pid: 1, uid: 1001, gid: 4242), true),
        (PeerCredentials(pid: 1, uid: 4242, gid: 2001), true),
        (PeerCredentials(pid: 1, uid: 4242, gid: 4242, groups: [7, 2001]), true),
        (PeerCredentials(pid: 1, uid: 2001, gid: 1001, groups: [1001]), false),
    ])
    func `root, the own user and whoever is listed may call`(peer: PeerCredentials, may: Bool) {
        #expect(VarlinkPermit.owner(users: [1001], groups: [2001])(peer) == may)
    }
}
