import ApiStore
import Domain
import HTTPServer
import Interfaces
import JSON
import Log
import Time
import Varlink

/// A98: what a text would become, while somebody types it. Nothing is stored and nothing is logged of the text.
struct EnrichRoutes: RouteGroup {
    let store: Store
    let clock: any Clock
    let peer: EnrichPeer
    let isEnabled: Bool
    /// Somebody types fast, and enrich may hang.
    private let door = AtMost(4)

    init(_ parts: Parts) {
        store = parts.store
        clock = parts.clock
        peer = parts.enrich
        isEnabled = parts.settings.enrichmentEnabled
    }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/enrich/preview", Route(bodyLimit: 64 << 10, answer: preview))
    }

    private func preview(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let text = try fields.string("text")
        guard !text.trimmed.isEmpty else { throw fields.refuse("text", "is empty") }
        guard text.utf8.count <= Transaction.longestText else {
            throw fields.refuse("text", "has more than 10,000 bytes")
        }
        let kind = try fields.optionalString("kind") ?? "task"
        guard ["task", "reminder", "quota", "auto"].contains(kind) else {
            throw fields.refuse("kind", "must be task, reminder, quota or auto")
        }
        let (reading, enricher, context) = try store.read { snapshot in
            let reading = try snapshot.readingPreferences(of: caller.id)
            return (
                reading, try reading.enricher ?? snapshot.enricher(),
                try EnricherInterface.Context(
                    of: caller.id, at: clock.now(), prefs: caller.user.preferences, reading: reading,
                    in: snapshot)
            )
        }
        guard isEnabled, reading.isOn else { throw Failure.unavailable("Nobody reads texts here: AI is off") }
        guard
            var reply = try door.run({
                try peer.preview(enricher: enricher, kind: kind, text: text, context: context)
            })
        else { throw Failure.unavailable("Too many texts are being read just now") }
        if !reading.stripsTitles {
            reply.result.title = text.trimmed
            if let notes = reply.result.notes, text.contains(notes) { reply.result.notes = nil }
        }
        return .data { writer in
            writer.object { writer in
                reply.result.write(to: &writer)
                writer.member("enricher", reply.enricher)
            }
        }
    }
}

extension EnrichPeer {
    /// By the named enricher if it is fast enough, else by the built-in one. The service asks each of the two for at most
    /// two seconds, so this ends within eight.
    ///
    /// - Throws: 503 when enrich does not answer, 400 when the built-in enricher finds that this is no text.
    func preview(
        enricher: String, kind: String, text: String, context: EnricherInterface.Context
    ) throws(Failure) -> EnrichControl.Preview.Reply {
        do {
            return try call(
                EnrichControl.Preview.self,
                .init(enricher: enricher, kind: kind, text: text, context: context), milliseconds: 5000)
        } catch let error as VarlinkError
            where error.name == EnrichControl.Errors.unknownEnricher && enricher != "builtin"
        {
            // It was uninstalled. For a line that is only looked at, the built-in one will do.
            return try preview(enricher: "builtin", kind: kind, text: text, context: context)
        } catch let error as VarlinkError
            where error.name == EnrichControl.Errors.enricherFailed
            && Self.textsFault.contains(error.parameters["detail"]?.string ?? "")
        {
            throw .invalid(field: "text", "cannot be a task: it has nothing but signs that nobody sees")
        } catch {
            throw .unavailable("The text cannot be read now: opentask-enrich does not answer")
        }
    }
}

extension EnrichPeer {
    /// What the built-in enricher says of a text that is none.
    private static let textsFault: Set<String> = ["BadAnswer", "TextEmpty", "TextTooLong", "UnsupportedKind"]
}

extension EnricherInterface.Result {
    /// The members of enrich 2.2, inside an object that is open; what was not said is null.
    func write(to writer: inout JSONWriter) {
        func moment(_ key: JSONKey, _ moment: EnricherInterface.Moment?) {
            writer.member(
                key,
                moment.map { ["date": .string($0.date), "time": $0.time.map(JSONValue.string) ?? .null] })
        }
        writer.member("title", title)
        moment("target", target)
        moment("deadline", deadline)
        writer.member("priority", priority)
        writer.member("rrule", rrule)
        writer.member("recurrence_mode", recurrenceMode)
        writer.array("labels") { writer in for label in labels { writer.value(label) } }
        writer.member("project", project)
        writer.member("notes", notes)
        writer.member("kind", kind)
        writer.member(
            "quota",
            quota.map { ["target": .int(Int64($0.target)), "period": .string($0.period.rawValue)] })
        writer.member("auto_snooze_minutes", autoSnoozeMinutes)
        writer.member("estimate_minutes", estimateMinutes)
        writer.array("spans") { writer in
            for span in spans ?? [] {
                writer.object { writer in
                    writer.member("start", span.start)
                    writer.member("end", span.end)
                    writer.member("field", span.field)
                }
            }
        }
        writer.member("reasoning", reasoning)
    }
}
