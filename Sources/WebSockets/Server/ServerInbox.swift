import Synchronization

/// What other threads, and the handler, want a server to do; in their order.
final class ServerInbox: Sendable {
    enum Command: Sendable {
        case send(String, to: WebSocketID)
        case close(WebSocketID, code: UInt16, reason: String)
    }

    private let commands = Mutex<[Command]>([])

    /// - Returns: whether the loop must be woken for it.
    func append(_ command: Command) -> Bool {
        commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
    }

    func take() -> [Command] {
        commands.withLock { commands in
            guard !commands.isEmpty else { return [] }
            let taken = commands
            commands = []
            return taken
        }
    }
}
