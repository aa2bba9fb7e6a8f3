import MediaTypes

/// A member of the audience who may ask to speak. Pure: what each input does stands in `SpeakTable`.
package struct SpeakSession: Sendable {
    package enum Output: Hashable, Sendable {
        /// To everybody in the room.
        case send(RoomRequest)
        case stateChanged(SpeakState, SpeakReason)
    }

    package static let patience = Interval.seconds(60)

    private let ownID: ParticipantID
    package private(set) var state = SpeakState.idle
    /// Of the application that waits, or by which this side speaks.
    package private(set) var requestID: String?
    /// Messages that changed nothing.
    package private(set) var ignoredMessages = 0
    private var deadline: MonotonicTime?
    private var budget = AnswerBudget()
    private var outputs: [Output] = []

    package init(ownID: ParticipantID) {
        self.ownID = ownID
    }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime { deadline ?? .distantFuture }

    /// - Parameter id: random, at most 64 characters.
    package mutating func apply(requestID id: String, at now: MonotonicTime) throws(SpeakError) {
        if case .refuse(let error) = SpeakTable.outcome(of: .apply, in: state) { throw error }
        requestID = id
        take(.apply, id, at: now)
    }

    /// Takes the application back, or stops speaking.
    package mutating func cancel(at now: MonotonicTime) throws(SpeakError) {
        if case .refuse(let error) = SpeakTable.outcome(of: .cancel, in: state) { throw error }
        take(.cancel, requestID, at: now)
    }

    /// A request 10000–10003 that came from the room.
    package mutating func receive(_ request: RoomRequest, from sender: Participant, at now: MonotonicTime) {
        take(input(request, from: sender), request.requestID, at: now)
    }

    package mutating func roomLost(at now: MonotonicTime) {
        take(.roomLost, requestID, at: now)
    }

    package mutating func advance(to now: MonotonicTime) {
        guard let deadline, deadline <= now else { return }
        take(.timeOut, requestID, at: now)
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private func input(_ request: RoomRequest, from sender: Participant) -> SpeakTable.Input {
        guard sender.role == .host, sender.id == request.senderID, request.receiverID == ownID else {
            return .otherMessage
        }
        switch request.command {
        case .acceptToSpeak: return request.requestID == requestID ? .accept : .otherAccept
        case .rejectToSpeak: return request.requestID == requestID ? .reject : .otherMessage
        default: return .otherMessage
        }
    }

    private mutating func take(_ input: SpeakTable.Input, _ id: String?, at now: MonotonicTime) {
        switch SpeakTable.outcome(of: input, in: state) {
        case .refuse: preconditionFailure("commands are told apart before")
        case .nothing: break
        case .ignore: ignoredMessages += 1
        case .apply:
            send(.applyToSpeak, id)
            deadline = now + SpeakSession.patience
            change(to: .applied, .applied)
        case .withdraw(let reason):
            send(.cancelApplication, id)
            change(to: .idle, reason)
        case .speak:
            change(to: .speaking, .accepted)
        case .stop(let reason):
            change(to: .idle, reason)
        case .withdrawOther:
            ignoredMessages += 1
            if budget.take(at: now) { send(.cancelApplication, id) }
        }
    }

    private mutating func send(_ command: RoomCommand, _ id: String?) {
        guard let id else { return }
        outputs.append(.send(RoomRequest(command, requestID: id, senderID: ownID, receiverID: nil)))
    }

    private mutating func change(to newState: SpeakState, _ reason: SpeakReason) {
        state = newState
        if newState == .idle { requestID = nil }
        if newState != .applied { deadline = nil }
        outputs.append(.stateChanged(newState, reason))
    }
}
