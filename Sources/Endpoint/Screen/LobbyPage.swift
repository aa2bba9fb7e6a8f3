/// Where the page of a lobby is that this endpoint hosts.
package struct LobbyPage: Sendable, Hashable {
    /// `http` or `https`.
    package var scheme: String
    /// The address it listens on.
    package var address: String
    package var port: Int

    package init(scheme: String, address: String, port: Int) {
        self.scheme = scheme
        self.address = address
        self.port = port
    }

    /// It listens on every address of the machine.
    var isForAll: Bool { address == "0.0.0.0" || address == "::" }
    /// Only this machine reaches it, so nobody in front of the screen does.
    var isForThisMachine: Bool { address == "localhost" || address == "::1" || address.hasPrefix("127.") }
}
