import Glibc
import LobbyProtocol
import MediaTypes
import Synchronization
import Telemetry
import WebSockets

/// Feeds `LobbyCore` with what the sockets bring, and does what it wants done.
///
/// - Thread: `cb-lobby`; `occupancy` may be read on any.
final class LobbyDriver: WebSocketServerHandler {
    private let core: Mutex<LobbyCore>
    private let server: WebSocketServer
    private let received = Counter("lobby.messages.received")
    private let expelled = Counter("lobby.connections.expelled")

    init(_ core: LobbyCore, _ server: WebSocketServer) {
        self.core = Mutex(core)
        self.server = server
    }

    func opened(_ connection: WebSocketID, at now: MonotonicTime) {
        perform { $0.connected(connection, at: now) }
    }

    func received(_ text: UnsafeRawBufferPointer, from connection: WebSocketID, at now: MonotonicTime) {
        received.increment()
        let unixTime = Int64(time(nil))
        // The bytes are only looked at during the call.
        nonisolated(unsafe) let text = text
        perform { $0.receive(text, from: connection, at: now, unixTime: unixTime) }
    }

    func closed(_ connection: WebSocketID, _ closure: WebSocketClosure, at now: MonotonicTime) {
        let reason: LobbyLeaveReason =
            switch closure {
            // A page that is closed says 1001 by itself.
            case .byPeer(code: 1000, _), .byPeer(code: 1001, _): .left
            case .silent: .timedOut
            case .byUs(let code) where code != 1001: .protocolViolation
            default: .connectionLost
            }
        perform { $0.closed(connection, reason: reason, at: now) }
    }

    func ticked(at now: MonotonicTime) {
        perform { $0.advance(to: now) }
    }

    private func perform(_ change: (inout LobbyCore) -> Void) {
        let outputs = core.withLock { core in
            change(&core)
            var outputs: [LobbyOutput] = []
            while let output = core.pollOutput() { outputs.append(output) }
            return outputs
        }
        for output in outputs {
            switch output {
            case .send(let connection, let text): server.send(text, to: connection)
            case .close(let connection, let code, let reason):
                expelled.increment()
                server.close(connection, code: code.rawValue, reason: reason)
            case .log(let text): Log.notice("lobby", text)
            }
        }
    }
}
