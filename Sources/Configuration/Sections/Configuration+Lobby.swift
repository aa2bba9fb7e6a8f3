extension Configuration {
    /// The embedded room, where this endpoint is to serve one.
    package struct Lobby: Hashable, Sendable {
        /// How the lobby is reached.
        package enum Transport: Hashable, Sendable {
            case plain
            case selfSigned
            case certificate(file: String, keyFile: String)
        }

        package var isHosted = false
        package var address = "127.0.0.1"
        package var port = 8080
        /// A file of `name: secret` lines; nil: only this machine gets in.
        package var keyFile: String?
        package var maximumParticipants = 6
        /// As the file spells it; `transport` is what it means.
        var tls = TLS()

        package init() {}

        package var transport: Transport {
            get {
                if let certificate = tls.certificateFile, let key = tls.keyFile {
                    return .certificate(file: certificate, keyFile: key)
                }
                return tls.isSelfSigned ? .selfSigned : .plain
            }
            set {
                tls = TLS()
                switch newValue {
                case .plain: break
                case .selfSigned: tls.isSelfSigned = true
                case .certificate(let file, let keyFile):
                    tls.certificateFile = file
                    tls.keyFile = keyFile
                }
            }
        }

        /// The keys of the group `lobby.tls`.
        struct TLS: Hashable, Sendable {
            var certificateFile: String?
            var keyFile: String?
            var isSelfSigned = false
        }
    }
}
