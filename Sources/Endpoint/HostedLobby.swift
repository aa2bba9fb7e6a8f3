import Configuration
import Lobby
import Telemetry
import WebSockets

/// Makes and starts the lobby, for `callbox lobby` and for an endpoint that hosts one.
package enum HostedLobby {
    /// - Errors: the key file, the certificate, the address or the port.
    package static func start(_ lobby: Configuration.Lobby) throws(ApplianceError) -> LobbyServer {
        var configuration = LobbyConfiguration(
            address: lobby.address, port: UInt16(clamping: lobby.port), maximumParticipants: lobby.maximumParticipants)
        if let path = lobby.keyFile {
            do throws(LobbyKeyError) {
                configuration.keys = try LobbyKeyFile.load(path: path)
            } catch {
                throw .configuration("lobby.key-file: \(error)")
            }
        }
        switch lobby.transport {
        case .plain: configuration.tls = nil
        case .selfSigned: configuration.tls = .selfMade(names: ["localhost", lobby.address], keptAt: nil)
        case .certificate(let file, let keyFile): configuration.tls = .files(certificate: file, key: keyFile)
        }
        let server = LobbyServer(configuration)
        do throws(LobbyError) {
            try server.start()
        } catch {
            throw .start("lobby: \(error)")
        }
        return server
    }
}
