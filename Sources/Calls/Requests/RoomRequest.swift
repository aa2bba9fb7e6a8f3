/// A command with its sender and receiver.
package struct RoomRequest: Hashable, Sendable {
    package var command: RoomCommand
    /// Made by the sender; an answer carries the same.
    package var requestID: String
    package var senderID: ParticipantID
    /// nil: everybody. Of an answer to an application: the applicant.
    package var receiverID: ParticipantID?

    package init(
        _ command: RoomCommand, requestID: String, senderID: ParticipantID, receiverID: ParticipantID?
    ) {
        self.command = command
        self.requestID = requestID
        self.senderID = senderID
        self.receiverID = receiverID
    }

    package func isMeant(for id: ParticipantID) -> Bool {
        receiverID == nil || receiverID == id
    }

    /// The answer to it, `done` or `refused`.
    package func answer(_ command: RoomCommand, by id: ParticipantID) -> RoomRequest {
        RoomRequest(command, requestID: requestID, senderID: id, receiverID: senderID)
    }
}
