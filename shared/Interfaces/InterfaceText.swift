/// The interface files of the house, as they lie in `Texts` and are served by introspection.
public enum InterfaceText {
    /// Every text, in the order of the interfaces' names.
    public static var all: [String] { named.keys.sorted().compactMap { named[$0] } }

    /// The text of an interface, `org.opentask.enrich`.
    ///
    /// A name that no file has is a mistake of ours, and ends the process at its start.
    public static func named(_ interface: String) -> String {
        guard let text = named[interface] else { preconditionFailure("no interface file for \(interface)") }
        return text
    }

    private static let named: [String: String] = [
        "org.opentask.advisor": text(PackageResources.org_opentask_advisor_varlink),
        "org.opentask.clock": text(PackageResources.org_opentask_clock_varlink),
        "org.opentask.enrich": text(PackageResources.org_opentask_enrich_varlink),
        "org.opentask.enricher": text(PackageResources.org_opentask_enricher_varlink),
        "org.opentask.enrichqueue": text(PackageResources.org_opentask_enrichqueue_varlink),
        "org.opentask.local": text(PackageResources.org_opentask_local_varlink),
        "org.opentask.scheduler": text(PackageResources.org_opentask_scheduler_varlink),
        "org.opentask.push": text(PackageResources.org_opentask_push_varlink),
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
