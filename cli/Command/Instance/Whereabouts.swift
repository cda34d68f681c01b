import FoundationEssentials
import Interfaces
import JSON
import Varlink

/// Options that say which instance is meant.
enum Which {
    static let state = Option(
        "state", "DIR", variable: "OPENTASK_STATE", help: "the instance whose folder this is")
    static let server = Option(
        "server", "URL", variable: "OPENTASK_SERVER", help: "an instance elsewhere, by HTTP")
    static let token = Option(
        "token", "T", variable: "OPENTASK_TOKEN", help: "who you are there, see `token create`")
    static let user = Option(
        "user", "NAME", variable: "OPENTASK_USER", help: "for whom, when there are several users")
    static let json = Option("json", help: "print JSON")

    /// For what only the machine itself can do.
    static let local = [state]
    /// For what any client can do.
    static let any = [state, server, token, user]
}

/// The folder of the sockets of the instance on this machine that is meant.
struct RunFolder {
    let path: String

    /// `--state DIR` means DIR/run; else OPENTASK_RUN, else ./data/run, else the system service's /run/opentask:
    /// the first that is there.
    init(_ call: Invocation) throws(CommandFailure) {
        if let state = call.option("state") {
            let folder = StateFolder(state)
            // The system service keeps its sockets apart from its state.
            path = folder.path == "/var/lib/opentask" ? "/run/opentask" : folder.run
            guard FileManager.default.fileExists(atPath: path) else {
                throw .unreachable(
                    "no instance has its state in \(folder.path): start one with `opentask up --state \(state)`"
                )
            }
            return
        }
        let candidates = [call.environment["OPENTASK_RUN"], StateFolder("./data").run, "/run/opentask"]
            .compactMap { $0 }
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw .unreachable(
                "no instance found here: start one with `opentask up`, or name one with --state DIR or --server URL"
            )
        }
        path = found
    }

    func client(_ socket: String) -> LocalClient {
        LocalClient(path: "\(path)/\(socket)")
    }
}

/// A service on this machine, asked on its Varlink socket.
struct LocalClient {
    let path: String
    private let client: VarlinkClient

    init(path: String) {
        self.path = path
        client = VarlinkClient(path: path, timeoutMilliseconds: 20_000)
    }

    func call<M: VarlinkMethod>(_ method: M.Type, _ parameters: M.Parameters) throws(CommandFailure)
        -> M.Reply
    {
        do {
            return try client.call(method, parameters)
        } catch let error as VarlinkError {
            throw LocalClient.words(error)
        } catch let error as VarlinkTransportError where error.kind == .connect {
            throw .unreachable("nobody answers on \(path): \(error.detail). `opentask doctor` tells more")
        } catch {
            throw .unreachable("\(path): \(error)")
        }
    }

    /// What an error of the wire means to a person.
    private static func words(_ error: VarlinkError) -> CommandFailure {
        func parameter(_ name: String) -> String { error.parameters[name]?.string ?? "?" }
        return switch error.name {
        case Local.Errors.noSuchUser: .failed("there is no user \"\(parameter("name"))\"")
        case Local.Errors.noUserYet: .failed("there is no user yet: opentask user add NAME")
        case Local.Errors.userExists: .failed("there is a user \"\(parameter("name"))\" already")
        case Local.Errors.notValid: .failed("\(parameter("field")): \(parameter("message"))")
        case Local.Errors.noSuchEnricher:
            .failed(
                "there is no enricher \"\(parameter("name"))\": `opentask enrich list` shows those that are")
        case VarlinkError.permissionDenied.name:
            .failed("you may not ask this instance: be its owner or root, or have OPENTASK_OWNER name you")
        case VarlinkError.internalError.name: .failed("the service failed, its log says why")
        case "org.opentask.enricher.TextEmpty": .failed("the text is empty")
        case "org.opentask.enricher.TextTooLong": .failed("the text is longer than 10,000 bytes")
        default: .failed("refused: \(error.name)")
        }
    }
}
