import Glibc

/// Ends the process.
public func exit(status: Int32) -> Never { Glibc.exit(status) }
