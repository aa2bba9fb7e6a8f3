import Calls
import JSONText

extension RoomMessage {
    /// Reads what came from `sender` through the room service.
    ///
    /// - Returns: nil when it is neither a call message nor a request, is outside the bounds of CALLS.md, or claims another
    ///   sender: to be dropped and counted. Other applications may send other messages through the same room.
    /// - Thread: any.
    package init?(json: JSONValue, from sender: ParticipantID) {
        guard let members = json.object else { return nil }
        if members["call_event"] != nil {
            guard let message = CallMessage(members) else { return nil }
            self = .call(message)
        } else {
            guard let request = RoomRequest(members), request.senderID == sender else { return nil }
            self = .request(request)
        }
    }

    /// As it goes through the room service.
    package var json: JSONValue {
        switch self {
        case .call(let message): message.json
        case .request(let request): request.json
        }
    }
}

extension CallMessage {
    fileprivate init?(_ members: [String: JSONValue]) {
        let bounds = MessageBounds(members: members)
        guard let event = members["call_event"]?.string.flatMap(Event.init(rawValue:)),
            let callID = bounds.id("call_id")
        else { return nil }
        var reason: CallEndReason?
        if !bounds.isMissing("reason") {
            reason = members["reason"]?.string.flatMap(CallEndReason.init(rawValue:))
            if reason == nil { return nil }
        }
        self.init(event, callID: callID, reason: reason)
    }

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["call_event": .string(event.rawValue), "call_id": .string(callID)]
        if let reason { members["reason"] = .string(reason.rawValue) }
        return .object(members)
    }
}

extension RoomRequest {
    fileprivate init?(_ members: [String: JSONValue]) {
        let bounds = MessageBounds(members: members)
        guard let number = members["room_request_type"]?.integer,
            let kind = Int(exactly: number).flatMap(RoomCommand.Kind.init(rawValue:)),
            let requestID = bounds.id("request_id"), let senderID = bounds.id("sender_id"),
            let receiver = members["receiver_id"]?.string, receiver.isEmpty || MessageBounds.isID(receiver)
        else { return nil }
        var data: [String: JSONValue] = [:]
        if !bounds.isMissing("extended_data") {
            guard let given = members["extended_data"]?.object else { return nil }
            data = given
        }
        guard let command = RoomCommand(kind, MessageBounds(members: data)) else { return nil }
        self.init(
            command, requestID: requestID, senderID: senderID, receiverID: receiver.isEmpty ? nil : receiver)
    }

    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "room_request_type": .integer(Int64(command.kind.rawValue)), "request_id": .string(requestID),
            "sender_id": .string(senderID), "receiver_id": .string(receiverID ?? ""),
        ]
        let data = command.data
        if !data.isEmpty { members["extended_data"] = .object(data) }
        return .object(members)
    }
}
