public import Varlink

/// The version of this release, as `--version`, every `Status` and every `GetInfo` tell it.
public let productVersion = "0.1.0"

extension VarlinkRouter {
    /// The router of one of our services: says who it is (`GetInfo`) and serves the texts of its interfaces.
    ///
    /// - Parameters:
    ///   - product: the program's name.
    ///   - version: of that part, where it is not the release's.
    ///   - interfaces: full names; each has a file in `Texts`.
    public init(product: String, version: String = productVersion, interfaces: [String]) {
        self.init(vendor: "OpenTask", product: product, version: version, url: "https://opentask.io")
        for name in interfaces {
            do {
                add(try VarlinkInterface(parsing: InterfaceText.named(name)))
            } catch {
                // A file of ours; a test reads them all.
                preconditionFailure("\(name) does not parse: \(error)")
            }
        }
    }
}
