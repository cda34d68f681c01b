/// The four services as `opentask up` starts them: the same sockets under the same names as in deploy/systemd.
public struct ServicePlan: Sendable {
    /// The executable, which lies beside `opentask`.
    public let name: String
    /// Name of each socket to its path below the run folder; nil is the HTTP address.
    public let sockets: [(name: String, path: String?)]
    /// Variables that no other service gets to see.
    let secrets: Set<String>

    public static let all = [
        ServicePlan(
            name: "opentask-api", sockets: [("http", nil), ("varlink", "api.sock")],
            secrets: [
                "AUTH_SECRET", "NEXTAUTH_SECRET", "OPENTASK_INIT_PASSWORD", "OPENTASK_INIT_USERNAME",
                "OPENTASK_INIT_TIMEZONE",
            ]),
        ServicePlan(name: "opentask-scheduler", sockets: [("varlink", "scheduler.sock")], secrets: []),
        ServicePlan(
            name: "opentask-push", sockets: [("varlink", "push.sock")],
            secrets: ["VAPID_PRIVATE_KEY", "APNS_KEY_PATH"]),
        ServicePlan(
            name: "opentask-enrich",
            sockets: [("varlink", "enrich.sock"), ("builtin", "enrichers/builtin.sock")],
            secrets: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"]),
    ]

    /// What the service may see of `variables`.
    public func environment(_ variables: [String: String]) -> [String: String] {
        let others = ServicePlan.all.filter { $0.name != name }.reduce(into: Set<String>()) {
            $0.formUnion($1.secrets)
        }
        return variables.filter { !others.contains($0.key) }
    }
}
