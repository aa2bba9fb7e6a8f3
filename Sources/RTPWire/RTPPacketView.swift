import MediaTypes

/// One RTP packet (RFC 3550 §5.1) read in place: nothing is copied, and it lives as long as the bytes it looks at.
package struct RTPPacketView {
    package let bytes: UnsafeRawBufferPointer
    package let payloadType: PayloadType
    package let marker: Bool
    package let sequenceNumber: SequenceNumber
    package let timestamp: RTPTimestamp
    package let ssrc: SSRC
    package let csrcCount: Int
    /// Fixed header, contributing sources and header extension.
    package let headerByteCount: Int
    /// What the packet carries, without padding.
    package let payload: UnsafeRawBufferPointer
    private let extensionProfile: UInt16
    private let extensionBytes: UnsafeRawBufferPointer

    /// Nil for anything that is not a well-formed RTP packet of version 2.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= RTPPacketView.fixedHeaderByteCount, bytes[0] >> 6 == 2 else { return nil }
        csrcCount = Int(bytes[0] & 0x0F)
        var headerEnd = RTPPacketView.fixedHeaderByteCount + 4 * csrcCount
        guard headerEnd <= bytes.count else { return nil }
        if bytes[0] & 0x10 != 0 {
            guard headerEnd + 4 <= bytes.count else { return nil }
            let length = 4 * Int(bytes.uint16(at: headerEnd + 2))
            guard headerEnd + 4 + length <= bytes.count else { return nil }
            extensionProfile = bytes.uint16(at: headerEnd)
            extensionBytes = bytes.part(from: headerEnd + 4, length: length)
            headerEnd += 4 + length
        } else {
            extensionProfile = 0
            extensionBytes = bytes.part(from: 0, length: 0)
        }
        var payloadLength = bytes.count - headerEnd
        if bytes[0] & 0x20 != 0 {
            guard payloadLength > 0 else { return nil }
            let padding = Int(bytes[bytes.count - 1])
            guard padding > 0, padding <= payloadLength else { return nil }
            payloadLength -= padding
        }
        self.bytes = bytes
        marker = bytes[1] & 0x80 != 0
        payloadType = PayloadType(bytes[1] & 0x7F)
        sequenceNumber = SequenceNumber(bytes.uint16(at: 2))
        timestamp = RTPTimestamp(bytes.uint32(at: 4))
        ssrc = SSRC(bytes.uint32(at: 8))
        headerByteCount = headerEnd
        payload = bytes.part(from: headerEnd, length: payloadLength)
    }

    package var paddingByteCount: Int { bytes.count - headerByteCount - payload.count }

    /// The contributing source at `index` (0 ..< `csrcCount`).
    package func csrc(at index: Int) -> SSRC {
        precondition(index >= 0 && index < csrcCount, "a packet has csrcCount contributing sources")
        return SSRC(bytes.uint32(at: RTPPacketView.fixedHeaderByteCount + 4 * index))
    }

    /// The header extension elements in their order in the packet.
    package var extensionElements: HeaderExtensionElements {
        HeaderExtensionElements(profile: extensionProfile, bytes: extensionBytes)
    }

    /// The value of the first element with this identifier; nil for 0, which means "not negotiated".
    package func extensionValue(id: UInt8) -> UnsafeRawBufferPointer? {
        guard id != 0 else { return nil }
        var elements = extensionElements
        while let element = elements.next() {
            if element.id == id { return element.value }
        }
        return nil
    }

    /// Where in `bytes` the value of an extension starts, for senders that rewrite it just before sending.
    package func extensionOffset(id: UInt8) -> Int? {
        guard let value = extensionValue(id: id), let start = bytes.baseAddress, let found = value.baseAddress
        else { return nil }
        return found - start
    }

    package static let fixedHeaderByteCount = 12
}
