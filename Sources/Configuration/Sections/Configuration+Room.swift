extension Configuration {
    /// The room that is joined at start, and how.
    package struct Room: Hashable, Sendable {
        /// The room services that exist.
        package enum Service: String, CaseIterable, Sendable {
            case lobby
        }

        /// When this endpoint publishes.
        package enum Mode: String, CaseIterable, Sendable {
            /// Always, from joining on.
            case auto
            /// While a call is up.
            case onCall = "on-call"
            /// After a host has accepted a request to speak; until then it is audience.
            case listen
        }

        package var name = "reception"
        package var mode = Mode.auto
        package var service = Service.lobby
        package var url = "ws://127.0.0.1:8080/ws"
        package var token: Secret?
        /// A file with the token; never given together with `token`.
        package var tokenFile: String?
        /// PEM certificates to trust instead of the system's.
        package var tlsCAFile: String?
        /// `AB:CD:…` of the one certificate to trust.
        package var tlsFingerprint: String?

        package init() {}
    }
}
