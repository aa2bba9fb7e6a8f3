/// Settles the form and the size of a header extension before it is written.
struct HeaderExtensionPlan {
    private var elementCount = 0
    private var valueByteCount = 0
    private var needsTwoByteForm = false

    init(_ values: HeaderExtensionValues, map: HeaderExtensionMap) {
        if values.mid != nil { add(map.mid, length: HeaderExtensionPlan.midLength(values)) }
        if values.audioLevel != nil { add(map.audioLevel, length: 1) }
        if values.absSendTime != nil { add(map.absSendTime, length: 3) }
        if values.transportSequence != nil { add(map.transportSequence, length: 2) }
        if let time = values.absCaptureTime { add(map.absCaptureTime, length: time.clockOffset == nil ? 8 : 16) }
    }

    var isEmpty: Bool { elementCount == 0 }

    /// Writes the extension with its 4-byte header, padded to whole words.
    func write(_ values: HeaderExtensionValues, map: HeaderExtensionMap, to writer: inout ByteWriter) {
        let byteCount = valueByteCount + elementCount * (needsTwoByteForm ? 2 : 1)
        let wordCount = (byteCount + 3) / 4
        writer.append(UInt16(needsTwoByteForm ? 0x1000 : 0xBEDE))
        writer.append(UInt16(wordCount))
        if let mid = values.mid, map.mid != 0 {
            let length = HeaderExtensionPlan.midLength(values)
            writeHeader(map.mid, length: length, to: &writer)
            writer.append(mid.part(from: 0, length: length))
        }
        if let level = values.audioLevel, map.audioLevel != 0 {
            writeHeader(map.audioLevel, length: 1, to: &writer)
            writer.append((level.hasVoice ? UInt8(0x80) : 0) | level.minusDBov & 0x7F)
        }
        if let time = values.absSendTime, map.absSendTime != 0 {
            writeHeader(map.absSendTime, length: 3, to: &writer)
            writer.append24(time)
        }
        if let number = values.transportSequence, map.transportSequence != 0 {
            writeHeader(map.transportSequence, length: 2, to: &writer)
            writer.append(number)
        }
        if let time = values.absCaptureTime, map.absCaptureTime != 0 {
            writeHeader(map.absCaptureTime, length: time.clockOffset == nil ? 8 : 16, to: &writer)
            writer.append(time.captureTime.rawValue)
            if let offset = time.clockOffset { writer.append(UInt64(bitPattern: offset)) }
        }
        writer.appendZeros(wordCount * 4 - byteCount)
    }

    private mutating func add(_ id: UInt8, length: Int) {
        guard id != 0 else { return }
        elementCount += 1
        valueByteCount += length
        if id > 14 || !(1...16).contains(length) { needsTwoByteForm = true }
    }

    private func writeHeader(_ id: UInt8, length: Int, to writer: inout ByteWriter) {
        if needsTwoByteForm {
            writer.append(id)
            writer.append(UInt8(length))
        } else {
            writer.append(id << 4 | UInt8(length - 1))
        }
    }

    /// The two-byte form holds at most 255 bytes.
    private static func midLength(_ values: HeaderExtensionValues) -> Int { min(values.mid?.count ?? 0, 255) }
}
