/// A host who decides about requests to speak. Pure.
package struct SpeakDesk: Sendable {
    package struct Application: Hashable, Sendable {
        package var participant: ParticipantID
        package var requestID: String
    }

    package enum Output: Hashable, Sendable {
        /// To everybody in the room, so that the other hosts see that it is settled.
        case send(RoomRequest)
        case applied(ParticipantID)
        /// Taken back, settled by another host, or the applicant is gone.
        case withdrawn(ParticipantID)
        /// A speaker that this host let speak has stopped.
        case stopped(ParticipantID)
    }

    /// More wait unseen: dropped, counted.
    static let capacity = 32

    private let ownID: ParticipantID
    /// In the order in which they came; one for each participant.
    package private(set) var pending: [Application] = []
    /// Let speak by this host.
    package private(set) var speaking: [Application] = []
    /// Messages that changed nothing.
    package private(set) var ignoredMessages = 0
    private var outputs: [Output] = []

    package init(ownID: ParticipantID) {
        self.ownID = ownID
    }

    /// Lets an applicant speak.
    package mutating func accept(_ id: ParticipantID) throws(SpeakError) {
        guard let application = SpeakDesk.remove(id, from: &pending) else { throw .notApplied }
        speaking.removeAll { $0.participant == id }
        speaking.append(application)
        send(.acceptToSpeak, application)
    }

    /// Refuses an applicant, or ends the speaking of one whom this host let speak.
    package mutating func reject(_ id: ParticipantID) throws(SpeakError) {
        if let application = SpeakDesk.remove(id, from: &pending) {
            send(.rejectToSpeak, application)
        } else if let speaker = SpeakDesk.remove(id, from: &speaking) {
            send(.rejectToSpeak, speaker)
        } else {
            throw .notApplied
        }
    }

    /// A request 10000–10003 that came from the room.
    package mutating func receive(_ request: RoomRequest, from sender: Participant) {
        guard sender.id == request.senderID, sender.id != ownID else { return ignoredMessages += 1 }
        switch request.command {
        case .applyToSpeak where request.isMeant(for: ownID):
            apply(Application(participant: sender.id, requestID: request.requestID))
        case .cancelApplication:
            cancel(Application(participant: sender.id, requestID: request.requestID))
        case .acceptToSpeak where sender.role == .host, .rejectToSpeak where sender.role == .host:
            guard let applicant = request.receiverID else { return ignoredMessages += 1 }
            cancel(Application(participant: applicant, requestID: request.requestID))
        default:
            ignoredMessages += 1
        }
    }

    package mutating func participantLeft(_ id: ParticipantID) {
        if SpeakDesk.remove(id, from: &pending) != nil { outputs.append(.withdrawn(id)) }
        if SpeakDesk.remove(id, from: &speaking) != nil { outputs.append(.stopped(id)) }
    }

    /// Applications end with the room: the applicants apply again.
    package mutating func roomLost() {
        for application in pending { outputs.append(.withdrawn(application.participant)) }
        for speaker in speaking { outputs.append(.stopped(speaker.participant)) }
        pending = []
        speaking = []
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private mutating func apply(_ application: Application) {
        if let index = pending.firstIndex(where: { $0.participant == application.participant }) {
            // Asked again: keeps its place.
            pending[index] = application
            return
        }
        guard pending.count < SpeakDesk.capacity else { return ignoredMessages += 1 }
        pending.append(application)
        outputs.append(.applied(application.participant))
    }

    private mutating func cancel(_ application: Application) {
        if let index = pending.firstIndex(of: application) {
            pending.remove(at: index)
            outputs.append(.withdrawn(application.participant))
        } else if let index = speaking.firstIndex(of: application) {
            speaking.remove(at: index)
            outputs.append(.stopped(application.participant))
        } else {
            ignoredMessages += 1
        }
    }

    private static func remove(_ id: ParticipantID, from list: inout [Application]) -> Application? {
        guard let index = list.firstIndex(where: { $0.participant == id }) else { return nil }
        return list.remove(at: index)
    }

    private mutating func send(_ command: RoomCommand, _ application: Application) {
        outputs.append(
            .send(
                RoomRequest(
                    command, requestID: application.requestID, senderID: ownID,
                    receiverID: application.participant)))
    }
}
