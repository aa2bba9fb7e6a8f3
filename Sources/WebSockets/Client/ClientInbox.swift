import Synchronization

/// What other threads want a client to do: messages in their order, then perhaps the end.
final class ClientInbox: Sendable {
    private struct State {
        var texts: [String] = []
        var bytes = 0
        var closeCode: UInt16?
    }

    private let state = Mutex(State())

    /// False and nothing done when it is closing or full.
    func append(_ text: String, maximumBytes: Int) -> (isTaken: Bool, needsWake: Bool) {
        state.withLock { state in
            guard state.closeCode == nil, state.texts.isEmpty || state.bytes + text.utf8.count <= maximumBytes else {
                return (false, false)
            }
            state.texts.append(text)
            state.bytes += text.utf8.count
            return (true, state.texts.count == 1)
        }
    }

    /// - Returns: whether the loop must be woken for it.
    func close(code: UInt16) -> Bool {
        state.withLock { state in
            guard state.closeCode == nil else { return false }
            state.closeCode = code
            return true
        }
    }

    func take() -> [String] {
        state.withLock { state in
            guard !state.texts.isEmpty else { return [] }
            defer {
                state.texts = []
                state.bytes = 0
            }
            return state.texts
        }
    }

    var closeCode: UInt16? { state.withLock(\.closeCode) }
}
