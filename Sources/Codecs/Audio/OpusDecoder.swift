import CCodecShims
import COpus

/// Turns the Opus packets of one remote stream into 48 kHz mono sound; stereo packets come out mixed to mono.
///
/// - Thread: confined to one; every call but `init` allocates nothing, so `cb-play` may decode.
/// - Errors: none but in `init`. Malformed packets yield 0 frames and are counted; the caller conceals.
package final class OpusDecoder {
    /// The longest packet of Opus: 120 ms.
    package static let maximumFrames = 5_760

    /// Packets that could not be decoded.
    package private(set) var malformedCount = 0
    private let decoder: OpaquePointer

    package init() throws(CodecError) {
        var error: Int32 = OPUS_OK
        guard let decoder = opus_decoder_create(48_000, 1, &error), error == OPUS_OK else {
            throw error == OPUS_ALLOC_FAIL ? .outOfMemory : .library(.opus, code: error)
        }
        self.decoder = decoder
    }

    deinit {
        opus_decoder_destroy(decoder)
    }

    /// Decodes a packet.
    /// - Parameter samples: room for the packet's frames; `maximumFrames` always suffices.
    /// - Returns: frames written; 0 when the packet is malformed or does not fit.
    package func decode(_ packet: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Int16>) -> Int {
        guard !packet.isEmpty else {
            malformedCount += 1
            return 0
        }
        return run(packet, frames: samples.count, usesFEC: false, into: samples)
    }

    /// Recovers what was lost before a packet that has come, from the copy that it carries; without a copy in it this
    /// is concealment.
    /// - Parameters:
    ///   - packet: the one after the gap; it is decoded by `decode` afterwards.
    ///   - frames: exact length of what is missing, a multiple of 2.5 ms.
    /// - Returns: frames written; 0 when the packet is malformed.
    package func decodeFEC(
        _ packet: UnsafeRawBufferPointer, frames: Int, into samples: UnsafeMutableBufferPointer<Int16>
    ) -> Int {
        guard !packet.isEmpty else {
            malformedCount += 1
            return 0
        }
        return run(packet, frames: frames, usesFEC: true, into: samples)
    }

    /// Makes up sound for a packet that did not come.
    /// - Parameter frames: a multiple of 2.5 ms (120), at most `maximumFrames`.
    /// - Returns: frames written.
    @discardableResult
    package func conceal(frames: Int, into samples: UnsafeMutableBufferPointer<Int16>) -> Int {
        run(UnsafeRawBufferPointer(start: nil, count: 0), frames: frames, usesFEC: false, into: samples)
    }

    /// Forgets the past: when a stream starts anew.
    package func reset() {
        ccb_opus_decoder_reset(decoder)
    }

    private func run(
        _ packet: UnsafeRawBufferPointer, frames: Int, usesFEC: Bool, into samples: UnsafeMutableBufferPointer<Int16>
    ) -> Int {
        guard let output = samples.baseAddress else { return 0 }
        let room = min(frames, samples.count, OpusDecoder.maximumFrames)
        let input = packet.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = opus_decode(
            decoder, input, Int32(clamping: packet.count), output, Int32(room), usesFEC ? 1 : 0)
        guard count >= 0 else {
            malformedCount += 1
            return 0
        }
        return Int(count)
    }
}
