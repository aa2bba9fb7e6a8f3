/// Every condition of a `RoomSession`: a room state, and what goes on behind it.
package enum RoomPhase: String, Sendable, Hashable, CaseIterable {
    case loggedOut
    case loggingIn
    case loginFailedSoon
    case loginFailedLate
    case loginFailedTrying
    case loggedIn
    case loggedInLeaving
    case reconnectingWaiting
    case reconnectingTrying
    case reconnected
    case reconnectedLeaving
    case reconnectFailedWaiting
    case reconnectFailedTrying
    case kickedOutWaiting
    case kickedOutTrying
    case logoutFailed

    package var state: RoomState {
        switch self {
        case .loggedOut: .loggedOut
        case .loggingIn: .loggingIn
        case .loginFailedSoon, .loginFailedLate, .loginFailedTrying: .loginFailed
        case .loggedIn, .loggedInLeaving: .loggedIn
        case .reconnectingWaiting, .reconnectingTrying: .reconnecting
        case .reconnected, .reconnectedLeaving: .reconnected
        case .reconnectFailedWaiting, .reconnectFailedTrying: .reconnectFailed
        case .kickedOutWaiting, .kickedOutTrying: .kickedOut
        case .logoutFailed: .logoutFailed
        }
    }

    package var activity: RoomActivity {
        switch self {
        case .loggedOut, .loggedIn, .reconnected, .logoutFailed: .nothing
        case .loggingIn, .loginFailedTrying, .reconnectingTrying, .reconnectFailedTrying, .kickedOutTrying: .trying
        case .loginFailedSoon, .reconnectingWaiting: .waitsShortly
        case .loginFailedLate, .reconnectFailedWaiting, .kickedOutWaiting: .waitsLong
        case .loggedInLeaving, .reconnectedLeaving: .leaving
        }
    }

    /// A retry is planned.
    package var isWaiting: Bool { activity == .waitsShortly || activity == .waitsLong }

    /// For tables: "reconnecting, trying".
    package var text: String { activity == .nothing ? state.rawValue : "\(state.rawValue), \(activity.rawValue)" }
}
