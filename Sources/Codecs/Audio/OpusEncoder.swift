import CCodecShims
import COpus
import MediaTypes

/// Turns 20 ms periods of 48 kHz mono speech into Opus packets.
///
/// - Thread: confined to one; every call but `init` allocates nothing, so `cb-capture` may encode.
package final class OpusEncoder {
    /// Frames that one packet carries: 20 ms.
    package static let framesPerPacket = 960
    /// Room that always suffices for a packet.
    package static let maximumPacketBytes = 1_275

    private let encoder: OpaquePointer
    private var wasSilent = false

    /// - Parameters:
    ///   - bitrate: 6 … 128 kbit/s; 24 … 40 is good for speech.
    ///   - usesFEC: each packet also carries a coarse copy of the one before, as far as expected loss justifies it.
    ///   - usesDTX: silence sends one packet in 400 ms.
    ///   - expectedLossPercent: what the network loses; more than 0 makes FEC worth its bits.
    ///   - complexity: 0 … 10; 5 costs two thirds of 9 and is hardly worse for speech.
    package init(
        bitrate: Bitrate = .kilobitsPerSecond(32), usesFEC: Bool = true, usesDTX: Bool = false,
        expectedLossPercent: Int = 5, complexity: Int = 7
    ) throws(CodecError) {
        var error: Int32 = OPUS_OK
        guard let encoder = opus_encoder_create(48_000, 1, OPUS_APPLICATION_VOIP, &error), error == OPUS_OK else {
            throw error == OPUS_ALLOC_FAIL ? .outOfMemory : .library(.opus, code: error)
        }
        self.encoder = encoder
        setBitrate(bitrate)
        setUsesFEC(usesFEC)
        setUsesDTX(usesDTX)
        setExpectedLoss(percent: expectedLossPercent)
        setComplexity(complexity)
    }

    deinit {
        opus_encoder_destroy(encoder)
    }

    /// Encodes one period.
    /// - Parameters:
    ///   - samples: exactly 960.
    ///   - packet: room for the packet; `maximumPacketBytes` always suffices.
    /// - Returns: bytes of the packet; 0 when nothing need be sent (silence with DTX).
    package func encode(
        _ samples: UnsafeBufferPointer<Int16>, into packet: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        precondition(samples.count == OpusEncoder.framesPerPacket, "a packet carries 960 samples")
        guard let input = samples.baseAddress, let output = packet.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { throw .library(.opus, code: OPUS_BUFFER_TOO_SMALL) }
        let capacity = Int32(min(packet.count, OpusEncoder.maximumPacketBytes))
        let count = opus_encode(encoder, input, Int32(samples.count), output, capacity)
        guard count >= 0 else { throw .library(.opus, code: count) }
        // A packet without more than its header need not be sent (opus_encode); the first one tells the far side that
        // silence begins.
        let isSilent = count <= 2
        defer { wasSilent = isSilent }
        return isSilent && wasSilent ? 0 : Int(count)
    }

    package func setBitrate(_ bitrate: Bitrate) {
        set(OPUS_SET_BITRATE_REQUEST, Int32(clamping: min(max(bitrate.bitsPerSecond, 6_000), 128_000)))
    }

    package func setUsesFEC(_ isOn: Bool) {
        set(OPUS_SET_INBAND_FEC_REQUEST, isOn ? 1 : 0)
    }

    package func setUsesDTX(_ isOn: Bool) {
        set(OPUS_SET_DTX_REQUEST, isOn ? 1 : 0)
    }

    /// - Parameter percent: of packets, 0 … 100, from the receiver's reports.
    package func setExpectedLoss(percent: Int) {
        set(OPUS_SET_PACKET_LOSS_PERC_REQUEST, Int32(min(max(percent, 0), 100)))
    }

    /// - Parameter complexity: 0 … 10.
    package func setComplexity(_ complexity: Int) {
        set(OPUS_SET_COMPLEXITY_REQUEST, Int32(min(max(complexity, 0), 10)))
    }

    /// Frames by which the decoder's output lags behind the encoder's input.
    package var lookaheadFrames: Int {
        var value: Int32 = 0
        ccb_opus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &value)
        return Int(value)
    }

    /// Forgets the past: after the microphone was off.
    package func reset() {
        wasSilent = false
        ccb_opus_encoder_reset(encoder)
    }

    private func set(_ request: Int32, _ value: Int32) {
        let result = ccb_opus_encoder_set(encoder, request, value)
        precondition(result == OPUS_OK, "libopus takes values in the documented range")
    }
}
