import Glibc

/// The version of this build, as `--version` and every `Status` tell it.
public let version = "0.1.0"

/// Ends the process.
public func exit(status: Int32) -> Never { Glibc.exit(status) }
