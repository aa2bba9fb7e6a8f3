extension Configuration {
    /// How connections find their way through networks.
    package struct ICE: Hashable, Sendable {
        /// One STUN or TURN service.
        package struct Server: Hashable, Sendable {
            /// Each one is a valid `ICEServerURL`.
            package var urls: [String] = []
            package var username: String?
            package var credential: Secret?
            /// A file with the credential; never given together with `credential`.
            package var credentialFile: String?

            package init() {}

            /// The URLs, taken apart.
            package var endpoints: [ICEServerURL] { urls.compactMap { ICEServerURL($0) } }
        }

        package var servers: [Server] = []
        /// Only candidates of TURN servers are used: the addresses of this machine stay unknown to peers.
        package var usesRelayOnly = false

        package init() {}
    }
}
