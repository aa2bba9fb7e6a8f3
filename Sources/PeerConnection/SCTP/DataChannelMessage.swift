/// The messages of the Data Channel Establishment Protocol (RFC 8832), pure bytes.
enum DataChannelMessage: Equatable {
    case open(label: String, subprotocol: String, isOrderedAndReliable: Bool)
    case acknowledge

    private static let acknowledgeType: UInt8 = 2
    private static let openType: UInt8 = 3
    private static let headerByteCount = 12
    /// Longest label or protocol that is taken.
    private static let nameByteLimit = 1_024

    /// Reads a message of the far side; nil when it is malformed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        switch bytes.first {
        case DataChannelMessage.acknowledgeType: self = .acknowledge
        case DataChannelMessage.openType:
            guard bytes.count >= DataChannelMessage.headerByteCount else { return nil }
            let labelCount = Int(bytes[8]) << 8 | Int(bytes[9])
            let protocolCount = Int(bytes[10]) << 8 | Int(bytes[11])
            let labelEnd = DataChannelMessage.headerByteCount + labelCount
            guard bytes.count >= labelEnd + protocolCount, labelCount <= DataChannelMessage.nameByteLimit,
                protocolCount <= DataChannelMessage.nameByteLimit
            else { return nil }
            self = .open(
                label: String(decoding: bytes[DataChannelMessage.headerByteCount..<labelEnd], as: UTF8.self),
                subprotocol: String(decoding: bytes[labelEnd..<(labelEnd + protocolCount)], as: UTF8.self),
                isOrderedAndReliable: bytes[1] == 0)
        default: return nil
        }
    }

    /// The bytes of the message; labels and protocols are cut at what two length bytes can tell.
    var bytes: [UInt8] {
        switch self {
        case .acknowledge: return [DataChannelMessage.acknowledgeType]
        case .open(let label, let subprotocol, let isOrderedAndReliable):
            let label = Array(label.utf8.prefix(DataChannelMessage.nameByteLimit))
            let subprotocol = Array(subprotocol.utf8.prefix(DataChannelMessage.nameByteLimit))
            // Type, channel type, priority "normal" (RFC 8831 §6.4), no reliability limit, both lengths.
            var bytes: [UInt8] = [DataChannelMessage.openType, isOrderedAndReliable ? 0 : 0x80, 1, 0, 0, 0, 0, 0]
            for count in [label.count, subprotocol.count] {
                bytes.append(UInt8(count >> 8))
                bytes.append(UInt8(count & 0xFF))
            }
            return bytes + label + subprotocol
        }
    }
}
