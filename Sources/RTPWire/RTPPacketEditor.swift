import MediaTypes

/// Changes single fields of a complete RTP packet in place, just before it leaves: what only the pacer knows.
package struct RTPPacketEditor {
    private let buffer: UnsafeMutableRawBufferPointer
    private let view: RTPPacketView

    /// Nil where the bytes are not a well-formed packet.
    package init?(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let view = RTPPacketView(UnsafeRawBufferPointer(buffer)) else { return nil }
        self.buffer = buffer
        self.view = view
    }

    /// - Parameter id: the negotiated identifier; nothing happens where it is 0 or the packet lacks the element.
    package func setTransportSequence(_ number: UInt16, id: UInt8) {
        guard let offset = offset(id, length: 2) else { return }
        buffer.storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt16.self)
    }

    /// - Parameters:
    ///   - time: `NTPTime.absSendTime`, 24 bits.
    ///   - id: the negotiated identifier; nothing happens where it is 0 or the packet lacks the element.
    package func setAbsSendTime(_ time: UInt32, id: UInt8) {
        guard let offset = offset(id, length: 3) else { return }
        buffer[offset] = UInt8(truncatingIfNeeded: time >> 16)
        buffer[offset + 1] = UInt8(truncatingIfNeeded: time >> 8)
        buffer[offset + 2] = UInt8(truncatingIfNeeded: time)
    }

    private func offset(_ id: UInt8, length: Int) -> Int? {
        guard let value = view.extensionValue(id: id), value.count >= length else { return nil }
        return view.extensionOffset(id: id)
    }
}
