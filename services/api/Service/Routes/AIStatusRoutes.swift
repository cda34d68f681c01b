import ApiStore
import Domain
import HTTPServer
import Interfaces
import JSON
import Time
import Varlink

/// A71: how the reading of texts is doing, from the queue, the log and the enrich service. What nobody can know here is
/// null, 0 or empty.
struct AIStatusRoutes: RouteGroup {
    let actions: TaskActions
    let enrich: EnrichPeer

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/ai/status", Route(answer: show))
    }

    /// Texts of one enricher that are read at a time, where it does not say less (enrich 1.5).
    private static let mostAtATime = 4

    /// What one page shows.
    private struct Facts {
        var running: [RunningJob]
        var active: Int
        var waiting: Int
        var ownWaiting: Int
        var log: [EnrichmentRecord]
        var lastRead: EnrichmentRecord?
        var session: InsightSession?
        var enricher: String
    }

    private func show(_ request: Request) throws -> HTTPResponse {
        let user = try request.caller.user
        guard actions.settings.advisorEnabled else {
            throw Failure.unavailable("AI is off on this server: OPENTASK_AI_ENABLED is not true")
        }
        let limit = min(try request.integer("limit", atLeast: 1) ?? 20, 100)
        let offset = try request.integer("offset", atLeast: 0) ?? 0
        let facts = try actions.store.read { snapshot in
            Facts(
                running: try snapshot.runningJobs(of: user.id),
                active: try snapshot.jobCount(waiting: false), waiting: try snapshot.jobCount(waiting: true),
                ownWaiting: try snapshot.jobCount(waiting: true, of: user.id),
                log: try snapshot.enrichments(
                    of: user.id, action: request.http.query["action"], limit: limit, offset: offset),
                lastRead: try snapshot.enrichments(of: user.id, action: "enrich", limit: 1).first,
                session: try snapshot.runningInsightSession(of: user.id),
                enricher: try snapshot.readingPreferences(of: user.id).enricher ?? snapshot.enricher())
        }
        // nil: it does not answer, which the page is told as a dead slot.
        let service = try? enrich.call(EnrichControl.Status.self, VarlinkEmpty(), milliseconds: 2000)
        return .data(capacity: 8192) { writer in
            writer.object { writer in
                writer.object("enrichment_slot") { writer in
                    self.write(facts, service, to: &writer)
                    writer.key("currentOperation")
                    guard let job = facts.running.first else { return writer.null() }
                    writer.object { writer in
                        writer.member("taskId", job.task.rawValue)
                        writer.member("inputText", job.text)
                        writer.member("startedAt", job.startedAt?.iso8601)
                    }
                }
                writer.object("quick_take_slot") { writer in
                    // Nothing of quick takes is kept (A73).
                    Self.writeSlot(
                        "uninitialized", since: nil, requests: 0, last: nil, model: "", to: &writer)
                    writer.member("totalSuperseded", 0)
                    writer.member("currentOperation", nil as String?)
                }
                writer.object("queue") { writer in
                    writer.member("active", facts.active)
                    writer.member("waiting", facts.waiting)
                    writer.member("maxConcurrent", Self.mostAtATime)
                }
                writer.object("in_progress") { writer in
                    writer.object("enrichment") { writer in
                        writer.object("slot") { self.write(facts, service, to: &$0) }
                        writer.array("pipeline_task_ids") { writer in
                            for job in facts.running { writer.value(Int(job.task.rawValue)) }
                        }
                        writer.member(
                            "circuit_breaker_open",
                            service?.breakers.contains { $0.enricher == facts.enricher } ?? false)
                        writer.member("pending_count", facts.ownWaiting)
                    }
                    writer.key("insights")
                    if let session = facts.session {
                        writer.object { writer in
                            session.writeProgress(to: &writer)
                            writer.member("status", session.status.rawValue)
                        }
                    } else {
                        writer.null()
                    }
                }
                writer.array("recent_activity") { writer in
                    for entry in facts.log { entry.write(to: &writer) }
                }
            }
        }
    }

    /// The reader of this user's texts.
    private func write(_ facts: Facts, _ service: EnrichControl.Status.Reply?, to writer: inout JSONWriter) {
        let state = service.map { $0.running > 0 ? "busy" : "available" } ?? "dead"
        Self.writeSlot(
            state,
            since: service.map { actions.clock.now().adding(seconds: -Int64($0.uptimeSeconds)) },
            requests: service.map { $0.enriched + $0.failed } ?? 0, last: facts.lastRead?.createdAt,
            model: facts.lastRead?.model ?? facts.enricher, to: &writer)
    }

    /// AISlotStats (2.18), inside an object that is open.
    private static func writeSlot(
        _ state: String, since: Instant?, requests: Int, last: Instant?, model: String,
        to writer: inout JSONWriter
    ) {
        writer.member("state", state)
        writer.member("activatedAt", since?.iso8601)
        writer.member("totalRequests", requests)
        writer.member("totalRecycles", 0)
        writer.member("lastRequestAt", last?.iso8601)
        writer.member("model", model)
    }
}

extension EnrichmentRecord {
    /// AIActivityEntry (2.18).
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("user_id", user.rawValue)
            writer.member("task_id", task?.rawValue)
            writer.member("action", action)
            writer.member("status", status)
            writer.member("input", input)
            writer.member("output", output)
            writer.member("model", model)
            writer.member("error", error)
            writer.member("provider", enricher)
            writer.member("duration_ms", durationMilliseconds)
            writer.member("created_at", createdAt.iso8601)
        }
    }
}
