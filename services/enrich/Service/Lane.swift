internal import FoundationEssentials
internal import Interfaces
internal import JSON
internal import Synchronization
internal import Varlink

/// The way to one enricher: its connections, what it can do, its breaker, the texts that wait for it.
///
/// The first call on fresh connections is GetCapabilities; it also says how many calls may run at a time. When nothing
/// is left to ask, the connections are closed: an enricher that was replaced meanwhile is met anew.
final class Lane: Sendable {
    /// A text that was read.
    struct Reading: Sendable {
        var result: EnricherInterface.Result
        /// The result's JSON as it came.
        var output: String
        var usage: EnricherInterface.Usage?
        var model: String?
    }

    private struct State {
        var client: VarlinkClient?
        var capabilities: EnricherInterface.GetCapabilities.Reply?
        var breaker = CircuitBreaker()
    }

    /// Enrich, with the result still as JSON: it is read field by field, not refused whole for one of a wrong type.
    private enum RawEnrich: VarlinkMethod {
        static let name = EnricherInterface.Enrich.name
        typealias Parameters = EnricherInterface.Enrich.Parameters
        typealias Reply = JSONValue
    }

    let name: String
    let path: String
    /// Calls at a time, whatever the enricher says (1.5).
    private let mostParallel: Int
    private let whenOpened: @Sendable (Failure) -> Void
    private let state = Mutex(State())
    private let work: Mutex<WorkQueue?> = Mutex(nil)

    /// Of a message, either way (2.1).
    private static let limits = VarlinkLimits(messageBytes: 1 << 20)

    /// - Parameter whenOpened: called when the breaker opens.
    init(
        name: String, path: String, mostParallel: Int,
        whenOpened: @escaping @Sendable (Failure) -> Void = { _ in }
    ) {
        self.name = name
        self.path = path
        self.mostParallel = mostParallel
        self.whenOpened = whenOpened
        let queue = WorkQueue("ask-\(name)", limit: 1) { [weak self] in self?.rest() }
        work.withLock { $0 = queue }
    }

    func add(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0 }?.add(work)
    }

    /// Ends the connections under way: what waits for an answer fails.
    func close() {
        state.withLock { state in
            defer { (state.client, state.capabilities) = (nil, nil) }
            return state.client
        }?.close()
    }

    /// Nothing waits: the connections go. Not those of a call that began meanwhile: a closed client would fail it.
    private func rest() {
        _ = state.withLock { state in
            defer { (state.client, state.capabilities) = (nil, nil) }
            return state.client
        }
    }

    // MARK: Asking

    /// Asks what a text means, unless the enricher is left alone just now.
    ///
    /// - Returns: the answer, well formed, not yet guarded.
    func ask(_ parameters: EnricherInterface.Enrich.Parameters) throws(Failure) -> Reading {
        if case .open(let rest) = state.withLock({ $0.breaker.ask(at: .now) }) {
            throw Failure(
                "LeftAlone", usesAttempt: false, retryAfterMs: rest.wholeMilliseconds, effect: .none)
        }
        do throws(Failure) {
            let reading = try answer(parameters)
            state.withLock { $0.breaker.succeeded() }
            return reading
        } catch {
            if note(error) { whenOpened(error) }
            throw error
        }
    }

    /// Tells the breaker of a failure.
    ///
    /// - Returns: whether it is open from now on.
    private func note(_ failure: Failure) -> Bool {
        state.withLock { state in
            switch failure.effect {
            case .failure: return state.breaker.failed(at: .now)
            case .final: return state.breaker.failed(at: .now, isFinal: true)
            case .well:
                state.breaker.succeeded()
                return false
            case .none:
                state.breaker.abandoned()
                return false
            }
        }
    }

    /// How long the enricher is left alone; nil when it is not.
    var breakerRest: Duration? { state.withLock { $0.breaker.remaining(at: .now) } }

    private func answer(_ asked: EnricherInterface.Enrich.Parameters) throws(Failure) -> Reading {
        let deadline = ContinuousClock.now + .milliseconds(asked.deadlineMs)
        let (client, capabilities) = try connect(timeoutMs: asked.deadlineMs)
        var parameters = asked
        if let capabilities {
            try Lane.fit(&parameters, capabilities)
        } else {
            parameters.context.userContext = nil
        }
        parameters.deadlineMs = max(1, (deadline - .now).wholeMilliseconds)
        let reply: JSONValue
        do {
            reply = try client.call(RawEnrich.self, parameters, timeoutMilliseconds: parameters.deadlineMs)
        } catch {
            throw Failure(error)
        }
        guard let raw = reply["result"], let json = try? JSONCoding.encode(raw),
            json.count <= AnswerReader.maxBytes
        else {
            throw .badAnswer
        }
        let result = try AnswerReader(raw, asked: parameters).read()
        return Reading(
            result: result, output: String(decoding: json, as: UTF8.self), usage: Lane.usage(reply["usage"]),
            model: reply["usage"]?["model"]?.string ?? capabilities?.model)
    }

    /// What the enricher does not want or cannot do.
    private static func fit(
        _ parameters: inout EnricherInterface.Enrich.Parameters,
        _ capabilities: EnricherInterface.GetCapabilities.Reply
    ) throws(Failure) {
        guard capabilities.kinds.isEmpty || capabilities.kinds.contains(parameters.kind) else {
            throw Failure("UnsupportedKind", isRetryable: false, effect: .well)
        }
        guard capabilities.maxTextBytes <= 0 || parameters.text.utf8.count <= capabilities.maxTextBytes else {
            throw Failure("TextTooLong", isRetryable: false, effect: .well)
        }
        if !capabilities.wantsUserContext { parameters.context.userContext = nil }
    }

    private static func usage(_ value: JSONValue?) -> EnricherInterface.Usage? {
        guard let input = value?["input_tokens"]?.int, let output = value?["output_tokens"]?.int else {
            return nil
        }
        return EnricherInterface.Usage(
            inputTokens: Int(clamping: input), outputTokens: Int(clamping: output),
            model: value?["model"]?.string)
    }

    // MARK: Connecting

    /// The client, and what the enricher says of itself; nil when it does not know the question (2.2: protocol 1, all
    /// kinds, one call at a time).
    private func connect(
        timeoutMs: Int
    ) throws(Failure) -> (VarlinkClient, EnricherInterface.GetCapabilities.Reply?) {
        let (client, known) = state.withLock { state in
            if let client = state.client { return (client, state.capabilities) }
            let client = VarlinkClient(path: path, limits: Lane.limits)
            state.client = client
            return (client, nil)
        }
        if let known { return (client, known) }
        let capabilities: EnricherInterface.GetCapabilities.Reply?
        do {
            capabilities = try client.call(
                EnricherInterface.GetCapabilities.self, .init(protocols: [1]), timeoutMilliseconds: timeoutMs)
        } catch let error as VarlinkError where error.name.hasPrefix("org.varlink.service.") {
            capabilities = nil
        } catch {
            var failure = Failure(error)
            // It has not seen the text: only an enricher that took the connection and says nothing has had its turn.
            if failure.error != "TimedOut" { failure.usesAttempt = false }
            if failure.retryAfterMs == nil, !failure.usesAttempt { failure.retryAfterMs = Failure.absentMs }
            throw failure
        }
        state.withLock { if $0.client === client { $0.capabilities = capabilities } }
        work.withLock { $0 }?.setLimit(min(mostParallel, max(1, capabilities?.maxParallel ?? 1)))
        return (client, capabilities)
    }

    // MARK: Looking

    /// How the enricher is: what List says of it. At most a second for each of the two questions.
    func installed() -> EnrichControl.Installed {
        var found = EnrichControl.Installed(name: name, address: "unix:\(path)", state: "down")
        let client = VarlinkClient(path: path, timeoutMilliseconds: 1000, limits: Lane.limits)
        defer { client.close() }
        do {
            let capabilities = try client.call(EnricherInterface.GetCapabilities.self, .init(protocols: [1]))
            found.version = capabilities.version
            found.model = capabilities.model
            found.usesNetwork = capabilities.usesNetwork
            let health = try client.call(EnricherInterface.CheckHealth.self, VarlinkEmpty())
            found.state =
                ["ready", "warming", "degraded", "down"].contains(health.state) ? health.state : "degraded"
            found.detail = health.detail
        } catch let error as VarlinkError {
            // It answers, if not what was asked.
            found.state = error.name.hasPrefix("org.varlink.service.Method") ? "ready" : "degraded"
            found.detail = error.name
        } catch {
            found.detail = Failure(error).error
        }
        return found
    }

    /// A reading while the user types; nil when this enricher is not for that (not fast, not deterministic).
    func preview(_ parameters: EnricherInterface.Preview.Parameters) throws(Failure) -> EnricherInterface
        .Result?
    {
        let (client, capabilities) = try connect(timeoutMs: 1000)
        guard let capabilities, capabilities.deterministic, capabilities.typicalMs <= 50 else { return nil }
        do {
            let reply = try client.call(
                raw: EnricherInterface.Preview.name,
                JSONValue(parsing: JSONCoding.encode(parameters)), timeoutMilliseconds: 1000)
            guard let raw = reply["result"] else { throw Failure.badAnswer }
            let asked = EnricherInterface.Enrich.Parameters(
                requestID: "", attempt: 1, deadlineMs: 1000, kind: parameters.kind, text: parameters.text,
                context: parameters.context)
            return try AnswerReader(raw, asked: asked).read()
        } catch let error as VarlinkError where error.name == "org.varlink.service.MethodNotImplemented" {
            return nil
        } catch {
            throw Failure(error)
        }
    }
}

extension Duration {
    /// Fraction cut.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
