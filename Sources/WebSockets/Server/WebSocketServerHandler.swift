import MediaTypes

/// Gets a `WebSocketServer`'s events, all of them on the server's thread (`cb-lobby`), one after the other.
package protocol WebSocketServerHandler: AnyObject, Sendable {
    func opened(_ connection: WebSocketID, at now: MonotonicTime)
    /// One whole text message; the bytes are valid during the call only. UTF-8 has been checked.
    func received(_ text: UnsafeRawBufferPointer, from connection: WebSocketID, at now: MonotonicTime)
    /// Comes exactly once for each opened connection, as its last event.
    func closed(_ connection: WebSocketID, _ closure: WebSocketClosure, at now: MonotonicTime)
    /// Once a second.
    func ticked(at now: MonotonicTime)
}
