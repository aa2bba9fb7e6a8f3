/// Feeds one input to both message parsers, and writes back what they accept: the target of `Tools/fuzz/Signalling.swift`.
///
/// What was accepted once must be accepted again after writing: otherwise one side could not read the other's messages.
package func fuzzLobbyMessages(_ bytes: UnsafeRawBufferPointer) {
    if let request = try? LobbyRequest(parsing: bytes) {
        precondition(reparsed(request.text, LobbyRequest.init(parsing:)) == request, "a request changed by writing it")
    }
    if let event = try? LobbyEvent(parsing: bytes) {
        precondition(reparsed(event.text, LobbyEvent.init(parsing:)) == event, "an event changed by writing it")
    }
}

private func reparsed<Message>(
    _ text: String, _ parse: (UnsafeRawBufferPointer) throws(LobbyMessageError) -> Message
) -> Message? {
    var text = text
    return text.withUTF8 { try? parse(UnsafeRawBufferPointer($0)) }
}
