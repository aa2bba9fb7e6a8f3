/// The last calls that ended here, so that whoever comes back later is told the same reason.
struct EndedCalls: Sendable {
    static let capacity = 64

    private struct Entry: Sendable {
        var callID: String
        var other: ParticipantID
        var reason: CallEndReason
    }

    private var entries: [Entry] = []

    mutating func add(_ callID: String, with other: ParticipantID, _ reason: CallEndReason) {
        if entries.count >= EndedCalls.capacity { entries.removeFirst() }
        entries.append(Entry(callID: callID, other: other, reason: reason))
    }

    func reason(of callID: String, with other: ParticipantID) -> CallEndReason? {
        entries.last { $0.callID == callID && $0.other == other }?.reason
    }

    func contains(_ callID: String) -> Bool {
        entries.contains { $0.callID == callID }
    }
}
