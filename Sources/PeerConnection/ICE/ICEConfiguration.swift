/// How an ICE agent gathers and connects.
package struct ICEConfiguration: Sendable, Hashable {
    package var servers: [ICEServer]
    package var interfaces: InterfaceRules
    /// Offer and use relayed candidates only.
    package var usesRelayOnly: Bool
    package var usesUDP: Bool
    package var usesTCP: Bool
    /// UDP and TCP ports of host candidates; nil: any.
    package var ports: ClosedRange<Int>?

    package init(
        servers: [ICEServer] = [], interfaces: InterfaceRules = InterfaceRules(), usesRelayOnly: Bool = false,
        usesUDP: Bool = true, usesTCP: Bool = true, ports: ClosedRange<Int>? = nil
    ) {
        self.servers = servers
        self.interfaces = interfaces
        self.usesRelayOnly = usesRelayOnly
        self.usesUDP = usesUDP
        self.usesTCP = usesTCP
        self.ports = ports
    }
}
