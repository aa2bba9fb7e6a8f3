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
}
