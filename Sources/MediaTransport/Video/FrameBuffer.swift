/// Memory in which one frame at a time is put together; grows to the largest frame so far.
struct FrameBuffer: ~Copyable {
    /// Larger frames are refused.
    static let frameLimit = 512 * 1_024

    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { memory.deallocate() }

    /// Room for a frame; what was in the buffer is lost.
    mutating func prepare(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        precondition(byteCount <= Self.frameLimit, "larger frames are refused before")
        if byteCount > memory.count {
            memory.deallocate()
            var size = 16 * 1_024
            while size < byteCount { size *= 2 }
            memory = .allocate(byteCount: size, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: memory[0..<byteCount])
    }
}
