import COpus

/// Makes stereo packets, which our own encoder never does.
enum StereoOpus {
    static func encode(left: [Int16], right: [Int16]) throws -> [[UInt8]] {
        var error: Int32 = 0
        guard let encoder = opus_encoder_create(48_000, 2, OPUS_APPLICATION_AUDIO, &error) else { return [] }
        defer { opus_encoder_destroy(encoder) }
        return stride(from: 0, to: left.count - 959, by: 960).map { start in
            let frames = (start..<start + 960).flatMap { [left[$0], right[$0]] }
            var packet = [UInt8](repeating: 0, count: 1_275)
            let count = opus_encode(encoder, frames, 960, &packet, 1_275)
            return Array(packet[0..<max(0, Int(count))])
        }
    }
}
