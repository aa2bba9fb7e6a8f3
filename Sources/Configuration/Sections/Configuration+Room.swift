extension Configuration {
    /// The room that is joined at start, and how.
    package struct Room: Hashable, Sendable {
        /// The room services that exist.
        package enum Service: String, CaseIterable, Sendable {
            case lobby
        }

        package var name = "reception"
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
