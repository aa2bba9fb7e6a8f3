import Calls
import JSONText
import MediaTypes

/// Takes any bytes as a message of another participant: nothing may trap, and what is read must be read again from what is
/// written. For the fuzz targets.
package func fuzzRoomMessage(_ bytes: UnsafeRawBufferPointer) {
    let json: JSONValue
    do throws(JSONError) {
        json = try JSONValue(parsing: bytes, maximumBytes: 1 << 14)
    } catch {
        return
    }
    let sender = json["sender_id"]?.string ?? "a"
    guard let message = RoomMessage(json: json, from: sender) else { return }
    precondition(RoomMessage(json: message.json, from: sender) == message, "a message is not what it was written from")
    let now = MonotonicTime(nanoseconds: 1)
    switch message {
    case .call(let call):
        var session = CallSession(ownID: "b")
        session.roomJoined(participants: ["a"], at: now)
        session.receive(call, from: "a", at: now)
        while session.pollOutput() != nil {}
    case .request(let request):
        let host = Participant(id: sender, name: "")
        _ = CommandTable().decide(request, sender: host, isPartner: false)
        var desk = SpeakDesk(ownID: "b")
        desk.receive(request, from: host)
        var speaker = SpeakSession(ownID: "b")
        speaker.receive(request, from: host, at: now)
    }
}
