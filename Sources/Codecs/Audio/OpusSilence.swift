/// The Opus packet that decodes to 20 ms of exact silence, in which no trace of a microphone can be.
///
/// It begins with what says "CELT, full band, 20 ms, mono, one frame" (configuration 31, RFC 6716 §3.1); the first bit of
/// the frame, coded as one, says that the frame is silent (§4.3), and nothing follows. A decoder that comes from speech
/// fades into it (§4.5), so that it neither clicks nor rings on as an encoder fed with zeros does.
package enum OpusSilence {
    package static let byteCount = 3

    /// - Parameter packet: room for `byteCount` bytes.
    /// - Returns: bytes written.
    package static func write(into packet: UnsafeMutableRawBufferPointer) -> Int {
        precondition(packet.count >= byteCount, "there is room for the packet")
        packet[0] = 0xF8
        packet[1] = 0xFF
        packet[2] = 0xFE
        return byteCount
    }
}
