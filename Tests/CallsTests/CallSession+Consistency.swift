import MediaTypes

@testable import Calls

extension CallSession {
    /// What must hold after every input; nil when it does.
    func inconsistency(at now: MonotonicTime) -> String? {
        if (callID == nil) != (phase == .idle) { return "call id \(callID ?? "-") while \(phase)" }
        if links.isEmpty != (phase == .idle) { return "\(links.count) links while \(phase)" }
        if phase != .calling && links.count > 1 { return "\(links.count) links while \(phase)" }
        if (ringDeadline != nil) != (phase == .calling || phase == .ringing) { return "ring time while \(phase)" }
        if (partner != nil) != (phase != .idle && phase != .calling) { return "partner while \(phase)" }
        for link in links {
            let isHeld = isReachable(link.id) || state == .inCall && flowing.contains(link.id)
            if isHeld == (link.lostDeadline != nil) { return "lost time of \(link.id), held: \(isHeld)" }
            if link.id == ownID { return "a call with itself" }
        }
        if closing.count > ClosingCall.capacity { return "\(closing.count) closing calls" }
        if !isRoomJoined && !participants.isEmpty { return "participants without a room" }
        if closing.contains(where: { $0.callID == callID && $0.caller == partner }) { return "closing and on" }
        return nil
    }
}
