import MediaTypes

/// Gets a `WebSocketClient`'s events, all of them on its thread (`cb-signal`), one after the other.
///
/// ```
/// opened ─▶ received, ticked … ─▶ closed     or     failed
/// ```
package protocol WebSocketClientHandler: AnyObject, Sendable {
    func opened(at now: MonotonicTime)
    /// It never opened. Nothing comes after it.
    func failed(_ error: WebSocketError)
    /// One whole text message; the bytes are valid during the call only. UTF-8 has been checked.
    func received(_ text: UnsafeRawBufferPointer, at now: MonotonicTime)
    /// Nothing comes after it.
    func closed(_ closure: WebSocketClosure)
    /// Every 250 ms while it is open.
    func ticked(at now: MonotonicTime)
}
