/// Why the lobby closes a WebSocket connection: PROTOCOL.md's table of close codes.
package enum LobbyCloseCode: UInt16, Sendable, CaseIterable {
    case normal = 1000
    case lobbyStops = 1001
    case protocolViolation = 4400
    case refusedToken = 4401
    case kicked = 4403
    case joinedElsewhere = 4409
    case tooMany = 4429
}
