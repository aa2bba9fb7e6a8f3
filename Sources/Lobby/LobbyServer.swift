import LobbyProtocol
import MediaTypes
import Realtime
import Telemetry
import WebSockets

/// The embedded room service: signalling, tokens and the browser page, on one thread (`cb-lobby`).
///
/// ```
/// WebSocketServer ─events→ LobbyDriver ─messages, time→ LobbyCore ─outputs→ WebSocketServer, Log
/// ```
/// - Thread: any; `start` may read files, `stop` blocks for up to half a second.
package final class LobbyServer: Sendable {
    private let configuration: LobbyConfiguration
    private let server: WebSocketServer
    private let driver: LobbyDriver

    package init(_ configuration: LobbyConfiguration) {
        self.configuration = configuration
        server = WebSocketServer(
            WebSocketServerConfiguration(
                address: Self.numeric(configuration.address), port: configuration.port,
                isLoopbackOnly: configuration.isLoopbackOnly, tls: configuration.tls,
                webSocketPath: LobbyLimits.path, subprotocol: LobbyLimits.subprotocol, files: PageAssets.files,
                maximumMessageBytes: LobbyLimits.messageBytes, maximumConnections: configuration.maximumConnections))
        driver = LobbyDriver(LobbyCore(configuration, seed: UInt64.random(in: 0...UInt64.max)), server)
    }

    /// The port that is listened on; 0 when stopped.
    package var port: UInt16 { server.port }

    /// The SHA-256 fingerprint of the certificate, for people and for pins; nil without TLS.
    package var certificateFingerprint: String? { server.identity?.fingerprint }

    /// A link for a browser on this machine.
    package func link(room: String) -> String {
        let scheme = configuration.tls == nil ? "http" : "https"
        return "\(scheme)://localhost:\(port)/#/\(Self.percentEncoded(room))"
    }

    /// Opens the lobby. `stop()` must follow.
    /// - Errors: no key for an address that others reach, a port in use, an unusable certificate.
    package func start() throws(LobbyError) {
        if let address = configuration.address, configuration.isLoopbackOnly, !Self.isLoopback(address) {
            throw .keyNeeded(address: address)
        }
        do {
            try server.start(handler: driver)
        } catch {
            throw .server(error)
        }
        report()
    }

    /// Tells every client and closes the lobby. Further calls do nothing.
    package func stop() {
        server.stop()
    }

    private func report() {
        let place = configuration.address ?? (configuration.isLoopbackOnly ? "localhost" : "every address")
        Log.notice("lobby", "open on port \(port) of \(place)")
        if configuration.isLoopbackOnly {
            Log.notice("lobby", "no key is set: only this machine may join")
        }
        for key in configuration.keys where key.isWeak {
            Log.warning("lobby", "\(key) has a short secret: use \(LobbyKey.goodSecretBytes) random characters")
        }
        guard let identity = server.identity else { return }
        if identity.isSelfMade {
            Log.notice("lobby", "self-made certificate with SHA-256 fingerprint \(identity.fingerprint)")
        }
        if identity.remainingSeconds < 14 * 86_400 {
            Log.warning("lobby", "the certificate expires in \(identity.remainingSeconds / 86_400) days")
        }
    }

    private static func isLoopback(_ address: String) -> Bool {
        address == "localhost" || address == "::1" || address.hasPrefix("127.")
    }

    /// "localhost" is both loopback addresses, which is what a loopback lobby listens on by itself.
    private static func numeric(_ address: String?) -> String? {
        address == "localhost" ? nil : address
    }

    private static func percentEncoded(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                out.unicodeScalars.append(Unicode.Scalar(byte))
            default: out += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return out
    }
}
