import MediaTypes

/// What a receiver must know of a VP8 frame without decoding it (RFC 6386 §9.1, RFC 7741 §4.3).
package struct VP8FrameHeader: Hashable, Sendable, BitwiseCopyable {
    package var isKeyFrame: Bool
    /// Only of a key frame.
    package var size: PictureSize?

    /// Reads the start of a frame (the payload of its first packet after the descriptor); nil where it is too short,
    /// or is a key frame without its start code or size.
    package init?(_ frame: UnsafeRawBufferPointer) {
        guard frame.count >= 3 else { return nil }
        isKeyFrame = frame[0] & 0x01 == 0
        guard isKeyFrame else { return }
        guard frame.count >= 10, frame.uint24(at: 3) == 0x9D_01_2A else { return nil }
        let width = Int(frame[6]) | Int(frame[7] & 0x3F) << 8
        let height = Int(frame[8]) | Int(frame[9] & 0x3F) << 8
        guard width > 0, height > 0 else { return nil }
        size = PictureSize(width: width, height: height)
    }

    /// Whether a frame's first bytes say "key frame"; needs one byte only.
    package static func isKeyFrame(_ frame: UnsafeRawBufferPointer) -> Bool {
        !frame.isEmpty && frame[0] & 0x01 == 0
    }
}
