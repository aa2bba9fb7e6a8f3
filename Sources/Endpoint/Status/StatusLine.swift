import Calls

/// How the endpoint is, in one line for people: what `systemctl status` shows.
struct StatusLine: Equatable, Sendable {
    var room: String
    /// Whether the configuration says where the room is, or this endpoint serves it.
    var isRoomNamed: Bool
    var state: RoomState
    var reason: RoomReason
    var call: CallState
    var partner: String?
    var otherCount: Int
    var faultCount: Int
    var isRestartWanted: Bool

    var text: String {
        var parts = [roomText]
        if let callText { parts.append(callText) }
        if faultCount > 0 { parts.append(faultCount == 1 ? "1 fault" : "\(faultCount) faults") }
        if isRestartWanted { parts.append("restarts when nobody talks") }
        return parts.joined(separator: "; ")
    }

    private var roomText: String {
        switch state {
        case .loggedOut, .logoutFailed: "\(room) is left"
        case .loggingIn: "joining \(room)"
        case .loggedIn, .reconnected: "joined \(room), \(othersText)"
        case .loginFailed where !isRoomNamed: "no room service is configured: set room.url (\(reason.text))"
        case .loginFailed: "not joined \(room): \(reason.text); trying again"
        case .reconnecting, .reconnectFailed: "lost \(room): \(reason.text); trying again"
        case .kickedOut: "removed from \(room): \(reason.text)"
        }
    }

    private var othersText: String {
        switch otherCount {
        case 0: "alone"
        case 1: "with 1 other"
        default: "with \(otherCount) others"
        }
    }

    private var callText: String? {
        let name = partner.map { " \($0)" } ?? ""
        return switch call {
        case .idle: nil
        case .calling: "calling\(name)"
        case .ringing: "rung by\(name)"
        case .inCall: "in a call with\(name)"
        }
    }
}
