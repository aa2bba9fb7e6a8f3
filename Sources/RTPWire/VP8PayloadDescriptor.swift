/// The VP8 payload descriptor that starts the payload of every VP8 packet (RFC 7741 §4.2).
package struct VP8PayloadDescriptor: Hashable, Sendable, BitwiseCopyable {
    /// The N bit: no other frame depends on this one.
    package var isNonReference = false
    /// The S bit: the payload starts a partition.
    package var startsPartition = false
    /// 0 … 7 (the PID field); 0 is the first partition.
    package var partitionIndex: UInt8 = 0
    /// 15 bits; a 7-bit one of a peer is kept as it is.
    package var pictureID: UInt16?
    /// TL0PICIDX: counts frames of the lowest temporal layer.
    package var tl0PictureIndex: UInt8?
    /// TID, 0 … 3.
    package var temporalLayer: UInt8?
    /// The Y bit: the frame depends only on the lowest layer.
    package var isLayerSync = false
    /// KEYIDX, 0 … 31.
    package var keyFrameIndex: UInt8?

    package init(startsPartition: Bool = false, pictureID: UInt16? = nil) {
        self.startsPartition = startsPartition
        self.pictureID = pictureID
    }

    /// True for the first packet of a frame.
    package var startsFrame: Bool { startsPartition && partitionIndex == 0 }

    /// Reads the descriptor; nil where the bytes end inside it.
    /// - Returns: with `byteCount`, how much of the payload it took.
    package static func parse(_ payload: UnsafeRawBufferPointer) -> (
        descriptor: VP8PayloadDescriptor, byteCount: Int
    )? {
        var reader = ByteReader(payload)
        guard let first = reader.readUInt8() else { return nil }
        var descriptor = VP8PayloadDescriptor()
        descriptor.isNonReference = first & 0x20 != 0
        descriptor.startsPartition = first & 0x10 != 0
        descriptor.partitionIndex = first & 0x07
        guard first & 0x80 != 0 else { return (descriptor, 1) }
        guard let flags = reader.readUInt8() else { return nil }
        if flags & 0x80 != 0 {
            guard let high = reader.readUInt8() else { return nil }
            descriptor.pictureID = UInt16(high & 0x7F)
            if high & 0x80 != 0 {
                guard let low = reader.readUInt8() else { return nil }
                descriptor.pictureID = UInt16(high & 0x7F) << 8 | UInt16(low)
            }
        }
        if flags & 0x40 != 0 {
            guard let index = reader.readUInt8() else { return nil }
            descriptor.tl0PictureIndex = index
        }
        if flags & 0x30 != 0 {
            guard let layers = reader.readUInt8() else { return nil }
            if flags & 0x20 != 0 {
                descriptor.temporalLayer = layers >> 6
                descriptor.isLayerSync = layers & 0x20 != 0
            }
            if flags & 0x10 != 0 { descriptor.keyFrameIndex = layers & 0x1F }
        }
        return (descriptor, reader.offset)
    }

    /// Bytes that `write` needs.
    package var byteCount: Int {
        guard flags != 0 else { return 1 }
        return 2 + (pictureID == nil ? 0 : 2) + (tl0PictureIndex == nil ? 0 : 1) + (flags & 0x30 == 0 ? 0 : 1)
    }

    /// Writes the descriptor, a picture identification always in 15 bits.
    package func write(to writer: inout ByteWriter) {
        writer.append(
            (flags != 0 ? UInt8(0x80) : 0) | (isNonReference ? 0x20 : 0) | (startsPartition ? 0x10 : 0)
                | (partitionIndex & 0x07))
        guard flags != 0 else { return }
        writer.append(flags)
        if let pictureID { writer.append(0x8000 | pictureID) }
        if let tl0PictureIndex { writer.append(tl0PictureIndex) }
        if flags & 0x30 != 0 {
            writer.append((temporalLayer ?? 0) << 6 | (isLayerSync ? 0x20 : 0) | (keyFrameIndex ?? 0) & 0x1F)
        }
    }

    private var flags: UInt8 {
        (pictureID == nil ? 0 : 0x80) | (tl0PictureIndex == nil ? 0 : 0x40) | (temporalLayer == nil ? 0 : 0x20)
            | (keyFrameIndex == nil ? 0 : 0x10)
    }
}
