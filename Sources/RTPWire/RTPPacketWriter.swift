import MediaTypes

/// Writes one RTP packet into a caller's buffer: the header first, then the payload in as many pieces as it has.
///
/// Header extensions take the one-byte form, and the two-byte form when an identifier above 14 or a value longer than
/// 16 bytes (or an empty one) needs it (RFC 8285 §4.2, §4.3).
package struct RTPPacketWriter {
    private var writer: ByteWriter
    /// Fixed header and header extension.
    package private(set) var headerByteCount = 0

    /// - Parameters:
    ///   - extensions: values to send; those whose identifier in `map` is 0 are left out.
    ///   - map: identifiers negotiated for this media line.
    package init(
        into buffer: UnsafeMutableRawBufferPointer, header: RTPHeader,
        extensions: HeaderExtensionValues = HeaderExtensionValues(), map: HeaderExtensionMap = HeaderExtensionMap()
    ) {
        writer = ByteWriter(buffer)
        let plan = HeaderExtensionPlan(extensions, map: map)
        writer.append(UInt8(0x80) | (plan.isEmpty ? 0 : 0x10))
        writer.append((header.marker ? UInt8(0x80) : 0) | (header.payloadType.rawValue & 0x7F))
        writer.append(header.sequenceNumber.rawValue)
        writer.append(header.timestamp.rawValue)
        writer.append(header.ssrc.rawValue)
        if !plan.isEmpty { plan.write(extensions, map: map, to: &writer) }
        headerByteCount = writer.count
    }

    /// Appends a piece of the payload.
    package mutating func appendPayload(_ bytes: UnsafeRawBufferPointer) {
        writer.append(bytes)
    }

    /// Appends the original sequence number that starts the payload of a retransmission (RFC 4588 §4).
    package mutating func appendOriginalSequenceNumber(_ number: SequenceNumber) {
        writer.append(number.rawValue)
    }

    /// Appends a VP8 payload descriptor.
    package mutating func append(_ descriptor: VP8PayloadDescriptor) {
        descriptor.write(to: &writer)
    }

    /// Bytes written so far.
    package var count: Int { writer.count }

    /// The packet's size, or nil when it did not fit into the buffer and must not be sent.
    package var finishedByteCount: Int? { writer.hasOverflowed ? nil : writer.count }
}
