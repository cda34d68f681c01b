import FoundationEssentials
import HTTPClient
import Interfaces
import JSON
import Time
import Timers
import Varlink

/// What the doctor looks at, one function each.
enum Checks {
    static func clock() -> Finding {
        KernelClock.isSynchronised
            ? .good("clock", "kept in step with the world")
            : .note(
                "clock", "nobody keeps it in step, reminders drift with it",
                mend: "install chrony, or: timedatectl set-ntp true")
    }

    /// A zone whose offset never changed is the proof: without data Foundation has no zone at all.
    static func zones() -> Finding {
        let noon = Instant(seconds: 1_700_000_000)
        guard let zone = Zone("Asia/Tokyo"), zone.offset(at: noon) == 9 * 3600 else {
            return .bad(
                "time zones", "this program has no zone data",
                mend: "install it as `make install` lays it out, with its runtime libraries")
        }
        return .good("time zones", "known")
    }

    /// Whether somebody answers on a socket. This starts a service that systemd starts on demand.
    static func socket(_ run: RunFolder, _ name: String) -> Finding {
        let path = "\(run.path)/\(name)"
        let client = VarlinkClient(path: path, timeoutMilliseconds: 5_000)
        do {
            let info = try client.call(raw: "org.varlink.service.GetInfo")
            let product = info["product"]?.string ?? "a service", version = info["version"]?.string ?? ""
            return .good("socket \(name)", "\(product) \(version) answers")
        } catch let error as VarlinkError {
            return .bad(
                "socket \(name)", "refused: \(error.name)", mend: "be its owner or root; see OPENTASK_OWNER")
        } catch {
            let there = FileManager.default.fileExists(atPath: path)
            return .bad(
                "socket \(name)",
                there ? "nobody answers: \(error)" : "\(path) is not there, or not for you to see",
                mend: there
                    ? "look at the log: journalctl -u 'opentask-*', or the window of `opentask up`"
                    : "systemctl start opentask.target, or: opentask up; be root or in the group opentask")
        }
    }

    static func api(_ run: RunFolder) -> [Finding] {
        let status: Local.Status.Reply
        do throws(CommandFailure) {
            status = try run.client("api.sock").call(Local.Status.self, VarlinkEmpty())
        } catch {
            return [.bad("database", "the api does not tell: \(error.message)", mend: "see its log")]
        }
        var findings: [Finding] = [
            .good("database", "\(status.database), \(status.tasks) tasks, \(status.users) users"),
            permissions(status),
        ]
        if status.users == 0 {
            findings.append(.bad("users", "there is none yet", mend: "opentask user add NAME"))
        }
        findings.append(
            status.outbox < 1000
                ? .good("outbox", "\(status.outbox) messages wait")
                : .bad(
                    "outbox", "\(status.outbox) messages do not leave", mend: "see the log of opentask-push"))
        return findings
    }

    /// The database must be its owner's alone: by its own mode, or by that of its folder.
    private static func permissions(_ status: Local.Status.Reply) -> Finding {
        let folder = status.database.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        guard let database = mode(status.database), let around = mode(folder.isEmpty ? "." : folder) else {
            return .good("permissions", "this user may not even look at the database")
        }
        guard database & 0o077 != 0, around & 0o077 != 0 else {
            return .good("permissions", "nobody else can read the database")
        }
        return .bad(
            "permissions", "other users of this machine can read the database",
            mend: "chmod 700 \(folder); chmod 600 \(status.database)*")
    }

    /// The permission bits; nil for what this user may not look at.
    private static func mode(_ path: String) -> Int? {
        // Foundation gives the bits as one of several kinds of integer, depending on the system.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? any BinaryInteger).map { Int($0) }
    }

    static func push(_ run: RunFolder) -> [Finding] {
        let status: Push.Status.Reply
        do throws(CommandFailure) {
            status = try run.client("push.sock").call(Push.Status.self, .init())
        } catch {
            return [.bad("keys", "push does not tell: \(error.message)", mend: "see its log")]
        }
        var findings: [Finding] = [
            status.webpushConfigured
                ? .good("keys", "Web Push has its key, \(status.subscriptions) browsers subscribed")
                : .bad(
                    "keys", "Web Push has no key",
                    mend: "leave VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY unset to have them made, or set both")
        ]
        findings.append(
            status.apnsConfigured
                ? .good("Apple's push", "configured, \(status.devices) devices")
                : .note(
                    "Apple's push", "off",
                    mend:
                        "set APNS_KEY_ID, APNS_TEAM_ID, APNS_KEY_PATH and APNS_BUNDLE_ID if you have an app for it"
                ))
        if let oldest = status.oldestQueuedAt, SystemClock().now().seconds(since: oldest) > 3600 {
            findings.append(
                .bad(
                    "deliveries", "\(status.queued) wait, the oldest for more than an hour",
                    mend: "see the log of opentask-push; is the machine on the network?"))
        }
        return findings
    }

    static func enricher(_ run: RunFolder) -> [Finding] {
        do throws(CommandFailure) {
            let inUse = try run.client("api.sock").call(Local.Status.self, VarlinkEmpty()).enricher
            let installed = try run.client("enrich.sock").call(EnrichControl.List.self, VarlinkEmpty())
                .enrichers
            guard let enricher = installed.first(where: { $0.name == inUse }) else {
                return [
                    .bad(
                        "enricher", "\(inUse) is not there",
                        mend: "opentask enrich list; opentask enrich use builtin")
                ]
            }
            guard enricher.state == "down" else {
                return [.good("enricher", "\(inUse) is \(enricher.state)")]
            }
            return [
                .bad(
                    "enricher", "\(inUse) is down\(enricher.detail.map { ": \($0)" } ?? "")",
                    mend: "start it again, or: opentask enrich use builtin")
            ]
        } catch {
            return [
                .bad("enricher", "cannot be asked: \(error.message)", mend: "see the log of opentask-enrich")
            ]
        }
    }

    /// Whether a browser on this machine would get an answer.
    static func http(_ call: Invocation, _ run: RunFolder) -> Finding {
        // `up` leaves the address in its run folder; the system service has the one of its socket unit.
        let told = try? String(contentsOfFile: "\(run.path)/url", encoding: .utf8)  // not started by `up`
        let url = call.option("url") ?? told.map { $0.filter { !$0.isWhitespace } } ?? "http://127.0.0.1:3000"
        do throws(HTTPClientError) {
            let request = HTTPClientRequest(url: "\(url)/api/health", timeout: .seconds(10))
            let reply = try HTTPSender().sendBlocking(request)
            guard reply.status == 200 else {
                return .bad(
                    "address \(url)", "answers with status \(reply.status)",
                    mend: "see the log of opentask-api")
            }
            return .good("address \(url)", "answers")
        } catch {
            return .bad(
                "address \(url)", "does not answer: \(error)",
                mend: "is it the right address? --url URL; systemctl status opentask-http.socket")
        }
    }
}
