public import ApiStore
public import Log
public import Time

/// What the parts of the service share; made once, in `main`.
public struct Parts: Sendable {
    public let store: Store
    public let clock: any Clock
    public let settings: Settings
    public let log: Logger
    public let commits: Commits
    public let streams: Streams
    public let push: PushPeer
    public let enrich: EnrichPeer
    let advisor: AdvisorPeer
    /// Told of each run over all tasks that begins (A75).
    let insightRuns = Commits()

    public init(store: Store, clock: any Clock, settings: Settings, log: Logger) {
        self.store = store
        self.clock = clock
        self.settings = settings
        self.log = log
        commits = Commits()
        streams = Streams(store: store, clock: clock, log: log)
        push = PushPeer(path: "\(settings.runPath)/push.sock")
        enrich = EnrichPeer(path: "\(settings.runPath)/enrich.sock")
        advisor = AdvisorPeer(settings)
    }
}
