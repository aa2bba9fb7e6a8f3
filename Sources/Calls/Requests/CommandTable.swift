/// Which commands there are, and who may send them: one entry for each `room_request_type`.
package struct CommandTable: Sendable {
    package struct Entry: Hashable, Sendable {
        package var kind: RoomCommand.Kind
        /// For logs and refusals.
        package var name: String
        /// By `done` or `refused`.
        package var isAnswered: Bool
        package var permission: Permission

        /// The `room_request_type`.
        package var number: Int { kind.rawValue }
    }

    package enum Decision: Hashable, Sendable {
        case allowed
        /// For the answer and the log.
        case refused(String)
    }

    /// In the order of their numbers.
    package private(set) var entries: [Entry]

    /// - Parameter permissions: where they differ from the usual ones. The answers, and who decides on applications, are not
    ///   configured: entries for them do nothing.
    package init(permissions: [RoomCommand.Kind: Permission] = [:]) {
        entries = RoomCommand.Kind.allCases.map { kind in
            var entry = CommandTable.usualEntry(kind)
            if entry.isAnswered, let permission = permissions[kind] { entry.permission = permission }
            return entry
        }
    }

    package subscript(_ kind: RoomCommand.Kind) -> Entry {
        entries.first { $0.kind == kind } ?? CommandTable.usualEntry(kind)
    }

    /// - Parameters:
    ///   - sender: as the room service tells it.
    ///   - isPartner: the sender is the other side of an answered call.
    package func decide(_ request: RoomRequest, sender: Participant, isPartner: Bool) -> Decision {
        let entry = self[request.command.kind]
        guard request.senderID == sender.id else { return .refused("the sender is not \(request.senderID)") }
        guard entry.permission.allows(sender.role, isPartner: isPartner) else {
            return .refused("\(entry.name) is not permitted")
        }
        return .allowed
    }

    private static func usualEntry(_ kind: RoomCommand.Kind) -> Entry {
        switch kind {
        case .applyToSpeak: Entry(kind: kind, name: "applying to speak", isAnswered: false, permission: .everybody)
        case .cancelApplication:
            Entry(kind: kind, name: "cancelling an application", isAnswered: false, permission: .everybody)
        // Not the partner's: who speaks in a room is its hosts' affair. `SpeakSession` checks the role itself.
        case .acceptToSpeak: Entry(kind: kind, name: "accepting a speaker", isAnswered: false, permission: .hosts)
        case .rejectToSpeak: Entry(kind: kind, name: "rejecting a speaker", isAnswered: false, permission: .hosts)
        case .mute: Entry(kind: kind, name: "muting", isAnswered: true, permission: .hosts)
        case .cameraOff: Entry(kind: kind, name: "switching the camera off", isAnswered: true, permission: .hosts)
        case .switchCamera: Entry(kind: kind, name: "switching the camera", isAnswered: true, permission: .hosts)
        case .removeParticipant:
            Entry(kind: kind, name: "removing a participant", isAnswered: true, permission: .hosts)
        case .openRelay: Entry(kind: kind, name: "opening the relay", isAnswered: true, permission: .nobody)
        case .showText: Entry(kind: kind, name: "showing a text", isAnswered: true, permission: .hosts)
        case .setVolume: Entry(kind: kind, name: "setting the volume", isAnswered: true, permission: .hosts)
        case .done: Entry(kind: kind, name: "done", isAnswered: false, permission: .everybody)
        case .refused: Entry(kind: kind, name: "refused", isAnswered: false, permission: .everybody)
        }
    }
}
