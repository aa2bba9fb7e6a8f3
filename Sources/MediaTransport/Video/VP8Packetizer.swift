/// Divides a frame into payloads of nearly the same size, so that no tiny packet comes last.
struct VP8Packetizer: BitwiseCopyable {
    let packetCount: Int
    private let frameByteCount: Int

    /// - Parameter limit: largest piece, without the payload descriptor.
    init(frameByteCount: Int, limit: Int) {
        precondition(frameByteCount > 0 && limit > 0, "there is something to divide, and room for it")
        self.frameByteCount = frameByteCount
        packetCount = (frameByteCount + limit - 1) / limit
    }

    /// The part of the frame that packet `index` carries.
    func range(_ index: Int) -> Range<Int> {
        let base = frameByteCount / packetCount
        let longer = frameByteCount % packetCount
        let start = index * base + min(index, longer)
        return start..<(start + base + (index < longer ? 1 : 0))
    }
}
