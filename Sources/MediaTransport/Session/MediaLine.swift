import MediaTypes
import RTPWire

/// One media line of a session: what was negotiated, and the streams in both directions.
final class MediaLine {
    /// Packets, headers included and SRTP's tag not, are at most this long: it fits everywhere, tunnels included.
    static let packetLimit = 1_200

    private(set) var configuration: MediaLineConfiguration
    /// Nil until the line sends, or receives, for the first time.
    private(set) var sender: SendStream?
    private(set) var receiver: ReceiveStream?
    /// UTF-8 bytes of the MID, for the header extension.
    let mid: UnsafeMutableRawBufferPointer
    private var roles = [PayloadRole](repeating: .unknown, count: 128)

    init(_ configuration: MediaLineConfiguration, start: StreamStart, pool: PacketPool) {
        self.configuration = configuration
        mid = .allocate(byteCount: configuration.mid.utf8.count, alignment: 1)
        mid.copyBytes(from: configuration.mid.utf8)
        reconfigure(configuration, start: start, pool: pool)
    }

    deinit { mid.deallocate() }

    var lineIndex: Int { configuration.lineIndex }
    var kind: MediaKind { configuration.kind }
    var isSending: Bool { configuration.sends && configuration.codec.sendPayloadType != nil }

    /// Whether the streams of this line go on under another configuration.
    func continues(as other: MediaLineConfiguration) -> Bool {
        other.lineIndex == lineIndex && other.mid == configuration.mid && other.kind == kind
            && other.localSSRC == configuration.localSSRC && other.codec.clockRateHz == configuration.codec.clockRateHz
    }

    /// - Parameter start: used if the line begins to send.
    func reconfigure(_ other: MediaLineConfiguration, start: StreamStart, pool: PacketPool) {
        if configuration.receives && !other.receives { receiver?.pause() }
        if !configuration.sends && other.sends { sender?.awaitsKeyFrame = true }
        configuration = other
        if isSending && sender == nil { sender = SendStream(other, start: start) }
        if other.receives && receiver == nil { receiver = ReceiveStream(other.codec, pool: pool) }
        sender?.payloadLimit = payloadLimit
        takeRoles()
    }

    func role(of type: PayloadType) -> PayloadRole { roles[Int(type.rawValue & 0x7F)] }

    /// Largest payload that keeps every packet, retransmitted ones included, within `packetLimit`.
    private var payloadLimit: Int {
        let map = configuration.extensions
        var extensionBytes = 4
        for (id, length) in [
            (map.mid, mid.count), (map.audioLevel, 1), (map.absSendTime, 3), (map.transportSequence, 2),
            (map.absCaptureTime, 8),
        ] where id != 0 {
            extensionBytes += 2 + length
        }
        return Self.packetLimit - RTPPacketView.fixedHeaderByteCount - (extensionBytes + 3) / 4 * 4 - 2
    }

    private func takeRoles() {
        for index in 0..<128 { roles[index] = .unknown }
        for type in configuration.codec.receivePayloadTypes { roles[Int(type.rawValue & 0x7F)] = .media }
        for (type, original) in configuration.codec.receiveRTXPayloadTypes
        where configuration.codec.receivePayloadTypes.contains(original) {
            roles[Int(type.rawValue & 0x7F)] = .retransmission
        }
    }
}
