import Configuration
import Glibc
import Lobby
import Telemetry
import WebSockets

/// Makes and starts the lobby, for `callbox lobby` and for an endpoint that hosts one.
package enum HostedLobby {
    /// - Parameter certificateFile: where a self-made certificate stays the same across restarts; nil: in the service's
    ///   state directory, or nowhere.
    /// - Errors: the key file, the certificate, the address or the port.
    package static func start(
        _ lobby: Configuration.Lobby, certificateFile: String? = nil
    ) throws(ApplianceError) -> LobbyServer {
        var configuration = LobbyConfiguration(
            address: lobby.address, port: UInt16(clamping: lobby.port), maximumParticipants: lobby.maximumParticipants)
        if let path = lobby.keyFile {
            do throws(LobbyKeyError) {
                configuration.keys = try LobbyKeyFile.load(path: path)
                if LobbyKeyFile.isExposed(path: path) {
                    Log.warning("lobby", "others may read the key file \(path): chmod 600 it")
                }
            } catch {
                throw .configuration("lobby.key-file: \(error)")
            }
        }
        switch lobby.transport {
        case .plain: configuration.tls = nil
        case .selfSigned:
            configuration.tls = .selfMade(names: ["localhost", lobby.address], keptAt: certificateFile ?? stateFile)
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

    /// In the directory that systemd made for the service (`StateDirectory=`).
    private static var stateFile: String? {
        guard let directory = getenv("STATE_DIRECTORY").map({ String(cString: $0) }), !directory.isEmpty else {
            return nil
        }
        return "\(directory)/lobby-identity.pem"
    }
}
