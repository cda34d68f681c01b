import ApiStore
import Crypto
import Domain
import HTTPServer
import JSON
import Log
import Time

/// A96, only with `OPENTASK_TEST_MODE=1`: without it the path is unknown like any other.
struct TestRoutes: RouteGroup {
    let actions: TaskActions
    private let isOn: Bool

    /// - Parameter log: told that the mode is on.
    init(actions: TaskActions, log: Logger) {
        self.actions = actions
        isOn = actions.settings.testMode
        if isOn {
            log(
                .warning,
                "test mode: whoever reaches this server can erase all of it; unset OPENTASK_TEST_MODE to end it"
            )
        }
    }

    func add(to routes: inout HTTPRoutes<Route>) {
        guard isOn else { return }
        routes.add("POST", "/api/test/reset", Route(.anyone, answer: reset))
    }

    /// The accounts of the fixed state: their names, tokens and the zone of the specification's examples.
    static let accounts: [(name: String, token: String)] = [
        ("test", String(repeating: "a", count: 64)), ("other", String(repeating: "b", count: 64)),
    ]
    static let password = "test-password"

    private func reset(_ request: Request) throws -> HTTPResponse {
        let hash = try PasswordHash.make(Self.password)
        guard let zone = Zone("America/Chicago") else {
            throw Failure.unavailable("The machine's zone database has no America/Chicago")
        }
        try actions.write { transaction in
            try transaction.eraseEverything()
            for (name, token) in Self.accounts {
                let user = try transaction.add(
                    NewUser(name: name, email: "\(name)@example.org", passwordHash: hash, zone: zone))
                _ = try transaction.addToken(
                    name: "test", hash: Hex.encode(SHA256.hash(token)), preview: String(token.suffix(8)),
                    source: "manual", user: user)
            }
        }
        return .json(Array(#"{"data":{"ok":true}}"#.utf8))
    }
}
