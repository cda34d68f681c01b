public import JSON

/// An error as it crosses the wire: its full name and its parameters.
public struct VarlinkError: Error, Hashable, Sendable {
    /// Fully qualified: `org.example.clock.NoSuchZone`.
    public var name: String
    /// An object.
    public var parameters: JSONValue

    public init(_ name: String, _ parameters: JSONValue = [:]) {
        self.name = name
        self.parameters = parameters
    }
}

/// The errors of `org.varlink.service`, which any method may answer (https://varlink.org/Service), and our own for
/// failures that the caller can do nothing about.
extension VarlinkError {
    /// No interface of that name is served.
    public static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
    }

    /// The interface is served but has no such method.
    public static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
    }

    /// The interface describes the method, but this service does not do it.
    public static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
    }

    /// A parameter is missing, of a wrong type or out of range. Nested ones are named by their path: `context.time_zone`,
    /// `projects[3].name`.
    public static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InvalidParameter", ["parameter": .string(parameter)])
    }

    /// The peer may not call this service, or not this method.
    public static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")

    /// The method only makes sense with `more`.
    public static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")

    /// The service failed; what happened is in its log, not on the wire.
    public static let internalError = VarlinkError("org.opentask.InternalError")
}
