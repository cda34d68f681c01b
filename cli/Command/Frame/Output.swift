import Glibc
import Processes

/// The version of this build, as `--version` and every `Status` tell it.
public let version = "0.1.0"

/// What was asked for; scripts read it.
func printOut(_ text: String) { Streams.printOut(text) }

/// What a person should know besides.
func printError(_ text: String) { Streams.printError(text) }

/// Ends the process.
public func exit(status: Int32) -> Never { Glibc.exit(status) }
