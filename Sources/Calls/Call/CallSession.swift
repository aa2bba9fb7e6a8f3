import MediaTypes

/// One endpoint's calls, one at a time: rings, answers, ends, and outlives the loss of the room. Pure: the caller sends and
/// shows what `pollOutput()` gives. What each input does stands in `CallTable`, how two sides agree in CALLS.md.
///
/// ```
///          call              accept
///  idle ─────────▶ calling ─────────▶ inCall        every end ─▶ idle
///    └── invite ─▶ ringing ── answer ───▲
/// ```
package struct CallSession: Sendable {
    package enum Output: Hashable, Sendable {
        case send(CallMessage, to: ParticipantID)
        case stateChanged(CallState, partner: ParticipantID?)
        /// Once for each call that rang, was called or was refused as busy. Of a call that the callee ends it comes when the
        /// caller has confirmed, after `stateChanged(.idle)`, and possibly after the next call has begun.
        /// - Parameter other: the partner or caller, or the target if there was only one.
        case ended(callID: String, with: ParticipantID?, CallEndReason, wasIncoming: Bool)
    }

    /// The other side of the call that is on, or one of the targets that may still answer.
    struct Link: Sendable {
        var id: ParticipantID
        var hasRung = false
        /// When the call with it is lost; nil while the room shows it or its media flows.
        var lostDeadline: MonotonicTime?
    }

    let ownID: ParticipantID
    let settings: CallSettings
    package internal(set) var phase = CallPhase.idle
    /// Of the call that is on.
    package internal(set) var callID: String?
    /// All who were called by this side, whether or not they can still answer.
    package internal(set) var targets: [ParticipantID] = []
    /// Messages that changed nothing: unknown, late, doubled, hostile.
    package internal(set) var ignoredMessages = 0
    var links: [Link] = []
    /// Why targets of the call that is on are out.
    var reasons: [CallEndReason] = []
    var ringDeadline: MonotonicTime?
    var isRoomJoined = false
    /// On purpose: what still comes from that room does not count.
    private var hasLeft = false
    var participants: Set<ParticipantID> = []
    /// Those whose media flows.
    var flowing: Set<ParticipantID> = []
    var closing: [ClosingCall] = []
    var ended = EndedCalls()
    var budget = AnswerBudget()
    var outputs: [Output] = []

    package init(ownID: ParticipantID, settings: CallSettings = CallSettings()) {
        self.ownID = ownID
        self.settings = settings
    }

    package var state: CallState { phase.state }

    /// The caller while it rings, the other side of an answered call; nil while this side calls.
    package var partner: ParticipantID? {
        phase == .idle || phase == .calling ? nil : links.first?.id
    }

    /// The targets at which it rings, while this side calls.
    package var rungTargets: [ParticipantID] {
        phase == .calling ? links.filter(\.hasRung).map(\.id) : []
    }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime {
        var deadline = ringDeadline ?? .distantFuture
        for link in links { deadline = min(deadline, link.lostDeadline ?? .distantFuture) }
        for call in closing { deadline = min(deadline, call.deadline) }
        return deadline
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    // MARK: What a person asks for

    /// Rings `targets`, all at once; the first to answer gets the call.
    ///
    /// - Parameter callID: random, at most 64 characters.
    package mutating func call(
        _ targets: [ParticipantID], callID: String, at now: MonotonicTime
    ) throws(CallError) {
        if case .refuse(let error) = CallTable.outcome(of: .call, in: phase) { throw error }
        guard isRoomJoined else { throw .roomNotJoined }
        var others: [ParticipantID] = []
        for target in targets where target != ownID && !others.contains(target) { others.append(target) }
        guard !others.isEmpty else { throw .nobodyToCall }
        invite(others, callID: callID, at: now)
    }

    package mutating func answer(at now: MonotonicTime) throws(CallError) {
        try command(.answer, at: now)
    }

    package mutating func decline(at now: MonotonicTime) throws(CallError) {
        try command(.decline, at: now)
    }

    /// Cancels while calling, declines while it rings, hangs up an answered call.
    package mutating func hangUp(at now: MonotonicTime) throws(CallError) {
        try command(.hangUp, at: now)
    }

    /// This endpoint is about to leave the room on purpose: ends the call, and settles every reason at once.
    ///
    /// Send what it puts out, and then leave.
    package mutating func leaveRoom(at now: MonotonicTime) {
        take(.leaveRoom, at: now)
        for call in closing { settle(call, call.reason) }
        closing = []
        isRoomJoined = false
        hasLeft = true
        participants = []
    }

    private mutating func command(_ input: CallInput, at now: MonotonicTime) throws(CallError) {
        if case .refuse(let error) = CallTable.outcome(of: input, in: phase) { throw error }
        take(input, at: now)
    }

    // MARK: What happens in the room

    /// - Parameter others: those who are there already; who is told by `participantJoined` need not be among them.
    package mutating func roomJoined(participants others: Set<ParticipantID>, at now: MonotonicTime) {
        isRoomJoined = true
        hasLeft = false
        take(.roomJoined, at: now)
        // Also those who were told of already: what this side said then may have gone to a room that was lost.
        for id in others.sorted() { participantJoined(id, at: now) }
    }

    /// The room is lost; a call that is on goes on.
    package mutating func roomLost(at now: MonotonicTime) {
        isRoomJoined = false
        hasLeft = false
        participants = []
        for index in closing.indices { closing[index].deadline = now + settings.lostTime }
        take(.roomLost, at: now)
    }

    /// Call it for each new session of a participant, after `participantLeft` if it was there before.
    ///
    /// It may come before `roomJoined`: that there are participants means that the room is joined.
    package mutating func participantJoined(_ id: ParticipantID, at now: MonotonicTime) {
        guard !hasLeft, id != ownID else { return }
        isRoomJoined = true
        participants.insert(id)
        if links.contains(where: { $0.id == id }) { take(.otherJoined, from: id, at: now) }
        for index in closing.indices where closing[index].caller == id { repeatEnd(index, at: now) }
    }

    /// - Parameter isLost: it did not mean to go, and may come back.
    package mutating func participantLeft(_ id: ParticipantID, isLost: Bool, at now: MonotonicTime) {
        participants.remove(id)
        if !isLost { flowing.remove(id) }
        for index in closing.indices where closing[index].caller == id {
            closing[index].deadline = isLost ? now + settings.lostTime : now
        }
        if links.contains(where: { $0.id == id }) { take(isLost ? .otherLost : .otherGone, from: id, at: now) }
        if !isLost { settleClosing(at: now) }
    }

    /// Packets of a participant's media arrive, or have stopped arriving; holds an answered call while the room is lost.
    package mutating func mediaChanged(with id: ParticipantID, isFlowing: Bool, at now: MonotonicTime) {
        if isFlowing { flowing.insert(id) } else { flowing.remove(id) }
        if links.contains(where: { $0.id == id }) { take(isFlowing ? .mediaFlows : .mediaStopped, from: id, at: now) }
    }

    // MARK: Time

    package mutating func advance(to now: MonotonicTime) {
        if let deadline = ringDeadline, deadline <= now {
            ringDeadline = nil
            take(.ringTimeOut, at: now)
        }
        while let link = links.first(where: { ($0.lostDeadline ?? .distantFuture) <= now }) {
            take(.lostTimeOut, from: link.id, at: now)
        }
        settleClosing(at: now)
    }
}
