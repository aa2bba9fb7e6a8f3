import Configuration
import Glibc
import Lobby
import Telemetry

/// How an endpoint joins the lobby that it hosts itself: what is not configured follows from the lobby.
///
/// The address is this machine's, the certificate is the lobby's own, and whoever has the lobby's keys needs no token from
/// anybody. What the configuration says of the room is kept.
enum OwnLobbyRoom {
    /// The token never leaves this process, and must outlive its longest run and a clock that was wrong at its start.
    private static let tokenSeconds: Int64 = 50 * 365 * 86_400

    /// - Returns: the room's section, completed; as it is when another lobby than the hosted one is named.
    /// - Errors: the key file.
    static func completed(
        _ configuration: Configuration, participantID: String, lobby: LobbyServer
    ) throws(ApplianceError) -> Configuration.Room {
        var room = configuration.room
        guard room.url == Configuration.Room().url else { return room }
        let scheme = lobby.certificateFingerprint == nil ? "ws" : "wss"
        room.url = "\(scheme)://\(host(configuration.lobby)):\(lobby.port)/ws"
        if room.tlsCAFile == nil && room.tlsFingerprint == nil { room.tlsFingerprint = lobby.certificateFingerprint }
        guard room.token == nil, room.tokenFile == nil, let path = configuration.lobby.keyFile else { return room }
        do throws(LobbyKeyError) {
            guard let key = try LobbyKeyFile.load(path: path).first else { return room }
            let claims = TokenClaims(
                participantID: participantID, name: configuration.device.name, room: room.name,
                expiration: Int64(time(nil)) + tokenSeconds)
            room.token = Secret(Token.mint(claims, key: key))
        } catch {
            throw .configuration("lobby.key-file: \(error)")
        }
        return room
    }

    /// Where the lobby is reached from here.
    private static func host(_ lobby: Configuration.Lobby) -> String {
        switch lobby.address {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "[::1]"
        case let address: address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
        }
    }
}
