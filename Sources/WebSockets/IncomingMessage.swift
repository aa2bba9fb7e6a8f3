import CWebSocketShims

/// Puts the fragments of one text message together, up to a size.
struct IncomingMessage {
    enum Step {
        case more
        case complete
        /// To be closed with this code.
        case refused(code: UInt32, reason: StaticString)
    }

    private let maximumBytes: Int
    private(set) var bytes: [UInt8] = []

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Takes what one RECEIVE callback brought.
    mutating func append(_ input: UnsafeMutableRawPointer?, count: Int, of wsi: OpaquePointer) -> Step {
        guard lws_frame_is_binary(wsi) == 0 else { return .refused(code: 1003, reason: "text only") }
        let announced = bytes.count + count + lws_remaining_packet_payload(wsi)
        guard announced <= maximumBytes else { return .refused(code: 1009, reason: "too big") }
        if let input { bytes.append(contentsOf: UnsafeRawBufferPointer(start: input, count: count)) }
        return lws_remaining_packet_payload(wsi) == 0 && lws_is_final_fragment(wsi) != 0 ? .complete : .more
    }

    /// Ready for the next message; keeps a small buffer.
    mutating func reset() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 16 * 1024)
    }
}
