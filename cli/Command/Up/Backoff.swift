/// How long a service that ended by itself stays down: at once after a clean end, else 0.2 s, doubled up to 30 s; a run
/// of half a minute forgets what was before.
public struct Backoff {
    private var failures = 0

    public init() {}

    /// - Parameters:
    ///   - clean: it had started and then ended with status 0: somebody asked it to.
    ///   - ran: how long it was up.
    public mutating func delay(clean: Bool, ran: Duration) -> Duration {
        if ran >= .seconds(30) { failures = 0 }
        if clean { return failures == 0 ? .zero : wait }
        failures += 1
        return wait
    }

    private var wait: Duration {
        let doubled = Duration.milliseconds(200) * (1 << min(failures - 1, 10))
        return min(doubled, .seconds(30))
    }
}
