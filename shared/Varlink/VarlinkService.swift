/// `org.varlink.service`, which every service answers: who it is and which interfaces it serves
/// (https://varlink.org/Service).
public enum VarlinkService {
    public struct GetInfo: VarlinkMethod {
        public static let name = "org.varlink.service.GetInfo"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var vendor: String
            public var product: String
            public var version: String
            public var url: String
            /// In the order in which they were added, this one first.
            public var interfaces: [String]
        }
    }

    public struct GetInterfaceDescription: VarlinkMethod {
        public static let name = "org.varlink.service.GetInterfaceDescription"

        public struct Parameters: Codable, Hashable, Sendable {
            public var interface: String

            public init(interface: String) { self.interface = interface }
        }

        public struct Reply: Codable, Hashable, Sendable {
            /// The interface's text, as it was written.
            public var description: String
        }
    }

    static let interfaceName = "org.varlink.service"

    static let text = """
        # Answered by every Varlink service: who it is and what it serves.
        interface org.varlink.service

        # Who the service is, and the names of the interfaces that it serves.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The text of one interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # No interface of that name is served.
        error InterfaceNotFound (interface: string)

        # The interface has no such method.
        error MethodNotFound (method: string)

        # The interface has the method, this service does not do it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, of a wrong type or out of range.
        error InvalidParameter (parameter: string)

        # The caller may not.
        error PermissionDenied ()

        # The method is only answered with 'more'.
        error ExpectedMore ()

        """
}
