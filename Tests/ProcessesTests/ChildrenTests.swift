import FoundationEssentials
import Processes
import Sockets
import Testing

/// Children of the test process: one at a time, because SIGCHLD and waitpid(2) belong to the whole process.
@Suite("Child processes", .serialized)
final class ChildrenTests {
    private let folder = "/tmp/opentask-test-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)  // what is left of /tmp is not this test's matter
    }

    private func shell(_ script: String, sockets: [(name: String, descriptor: Int32)] = []) -> Program {
        Program(
            path: "/bin/sh", arguments: ["-c", script],
            environment: ["PATH": "/usr/bin:/bin", "LISTEN_FDS": "7"],
            sockets: sockets, noticePath: "\(folder)/notice")
    }

    /// Runs a script to its end; nil when it did not end within a minute.
    private func run(_ program: Program) throws -> (lines: [String], ready: Bool, ending: Ending?) {
        let children = try Children()
        let child = try children.start(program)
        var lines: [String] = []
        var ready = false
        while true {
            let events = children.nextEvents(atMost: .seconds(60))
            guard !events.isEmpty else { return (lines, ready, nil) }
            for event in events {
                switch event {
                case .line(child, let line): lines.append(line)
                case .ready(child): ready = true
                case .ended(child, let ending): return (lines, ready, ending)
                default: Issue.record("unexpected: \(event)")
                }
            }
        }
    }

    @Test func `what a child writes comes as lines, the last one even without its end`() throws {
        let result = try run(shell("echo one; echo two >&2; printf three"))
        #expect(result.lines == ["one", "two", "three"])
        #expect(result.ending == .status(0))
    }

    @Test func `a line of any length comes in pieces`() throws {
        let result = try run(shell("head -c 40000 /dev/zero | tr '\\0' x; echo"))
        #expect(result.lines.map(\.utf8.count) == [16_384, 16_384, 7_232])
    }

    @Test(arguments: [("exit 0", Ending.status(0)), ("exit 78", .status(78)), ("kill -9 $$", .signal(9))])
    func `its end is told`(_ script: String, _ ending: Ending) throws {
        #expect(try run(shell(script)).ending == ending)
    }

    @Test func `sockets are handed over from descriptor 3 on, with their names and the child's own number`()
        throws
    {
        let first = try ListeningSocket.unix(path: "\(folder)/a.sock")
        let second = try ListeningSocket.unix(path: "\(folder)/b.sock")
        let script = """
            echo $LISTEN_FDS $LISTEN_FDNAMES
            [ $LISTEN_PID = $$ ] && echo mine
            for fd in 3 4; do readlink /proc/$$/fd/$fd | cut -c 1-7; done
            ls /proc/$$/fd | sort -n | tr '\\n' ' '
            """
        let result = try run(shell(script, sockets: [("http", second.fd), ("varlink", first.fd)]))
        #expect(result.lines.prefix(4) == ["2 http:varlink", "mine", "socket:", "socket:"])
        // Nothing else is open: standard streams, the two sockets, and no more.
        #expect(result.lines.last == "0 1 2 3 4 ")
    }

    @Test func `without sockets nothing of another service manager is passed on`() throws {
        let result = try run(shell("echo ${LISTEN_FDS-unset} ${LISTEN_PID-unset}"))
        #expect(result.lines == ["unset unset"])
    }

    @Test func `a child tells that it is ready`() throws {
        let notify =
            "python3 -c 'import os, socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)"
            + ".sendto(b\"STATUS=x\\nREADY=1\\n\", os.environ[\"NOTIFY_SOCKET\"])'; read forever < \(folder)/fifo"
        let children = try Children()
        let child = try children.start(shell("mkfifo \(folder)/fifo; \(notify)"))
        #expect(children.nextEvents(atMost: .seconds(60)) == [.ready(child: child)])
        children.send(15, to: child)
        #expect(children.nextEvents(atMost: .seconds(60)) == [.ended(child: child, .signal(15))])
        // Its number may be somebody else's by now.
        children.send(9, to: child)
    }

    @Test func `a child that has closed its output keeps nobody awake`() throws {
        let children = try Children()
        let fifo = "\(folder)/fifo"
        let child = try children.start(shell("mkfifo \(fifo); exec >&- 2>&-; read forever < \(fifo)"))
        // Had the closed output been asked again, this would return at once and not when the limit passes.
        let began = ContinuousClock.now
        #expect(children.nextEvents(atMost: .milliseconds(50)) == [])
        #expect(ContinuousClock.now - began >= .milliseconds(50))
        children.send(9, to: child)
        #expect(children.nextEvents(atMost: .seconds(60)) == [.ended(child: child, .signal(9))])
    }

    @Test func `a program that is not there is an error with its path`() throws {
        let children = try Children()
        var program = shell("")
        program.path = "\(folder)/absent"
        let error = #expect(throws: ProcessError.self) { try children.start(program) }
        #expect(error?.step == program.path)
    }

    @Test func `nothing happens while nothing happens`() throws {
        #expect(try Children().nextEvents(atMost: .milliseconds(1)) == [])
    }
}
