import LobbyProtocol
import MediaTypes
import WebSockets

/// Passes one connection's events to its service, with the connection's number.
///
/// - Thread: `cb-signal`.
final class LobbyClientHandler: WebSocketClientHandler {
    private let service: LobbyRoomService
    private let connection: Int

    init(service: LobbyRoomService, connection: Int) {
        self.service = service
        self.connection = connection
    }

    func opened(at now: MonotonicTime) {
        service.opened(connection)
    }

    func failed(_ error: WebSocketError) {
        service.ended(connection, RoomError(error))
    }

    func received(_ text: UnsafeRawBufferPointer, at now: MonotonicTime) {
        do throws(LobbyMessageError) {
            service.received(try LobbyEvent(parsing: text), on: connection)
        } catch {
            service.receivedMalformed(connection)
        }
    }

    func closed(_ closure: WebSocketClosure) {
        service.ended(connection, RoomError(closure))
    }

    func ticked(at now: MonotonicTime) {
        service.expireRequests(of: connection, at: now)
    }
}
