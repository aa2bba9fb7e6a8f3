/// The states of the call table: `CallState`, with an answered call told apart by who called.
package enum CallPhase: String, CaseIterable, Hashable, Sendable {
    case idle
    case calling
    case ringing
    case inCallAsCaller
    case inCallAsCallee

    package var state: CallState {
        switch self {
        case .idle: .idle
        case .calling: .calling
        case .ringing: .ringing
        case .inCallAsCaller, .inCallAsCallee: .inCall
        }
    }

    /// For the table.
    package var text: String {
        switch self {
        case .idle: "idle"
        case .calling: "calling"
        case .ringing: "ringing"
        case .inCallAsCaller: "in call (called)"
        case .inCallAsCallee: "in call (was called)"
        }
    }
}
