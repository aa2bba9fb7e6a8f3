/// One I420 picture in memory of its own, reused from frame to frame.
///
/// - Shape: three planes, 8 bits a sample; chroma has half the size in both directions, rounded up; rows are padded to
///   32 bytes.
/// - Thread: owned by one thread at a time; hand-over is by `PictureMailbox` or a lock of the owner.
// @unchecked: the owner's hand-over orders every access; the object itself keeps no lock.
package final class Picture: @unchecked Sendable {
    package private(set) var size: PictureSize
    /// When the picture was captured (local clock), for delay statistics.
    package var captureTime = MonotonicTime.zero
    /// RTP timestamp of a received picture, or ticks of 90 kHz of a captured one.
    package var timestamp = RTPTimestamp(0)
    /// Counts pictures of one source.
    package var number: Int64 = 0
    private var memory: UnsafeMutableRawBufferPointer

    package init(size: PictureSize) {
        self.size = size
        memory = .allocate(byteCount: Picture.byteCount(size), alignment: 64)
        fillBlack()
    }

    deinit {
        memory.deallocate()
    }

    package var lumaStride: Int { (size.width + 31) & ~31 }
    package var chromaWidth: Int { (size.width + 1) / 2 }
    package var chromaHeight: Int { (size.height + 1) / 2 }
    package var chromaStride: Int { (chromaWidth + 31) & ~31 }

    package var luma: UnsafeMutablePointer<UInt8> { plane(0) }
    package var blueChroma: UnsafeMutablePointer<UInt8> { plane(lumaStride * size.height) }
    package var redChroma: UnsafeMutablePointer<UInt8> {
        plane(lumaStride * size.height + chromaStride * chromaHeight)
    }

    /// Gives the picture another size; allocates only when the new size needs more memory. The content is undefined.
    package func resize(to newSize: PictureSize) {
        guard newSize != size else { return }
        let needed = Picture.byteCount(newSize)
        if needed > memory.count {
            memory.deallocate()
            memory = .allocate(byteCount: needed, alignment: 64)
        }
        size = newSize
    }

    package func fillBlack() {
        luma.update(repeating: 16, count: lumaStride * size.height)
        blueChroma.update(repeating: 128, count: chromaStride * chromaHeight)
        redChroma.update(repeating: 128, count: chromaStride * chromaHeight)
    }

    private func plane(_ offset: Int) -> UnsafeMutablePointer<UInt8> {
        // The base address exists: every picture has at least one byte.
        memory.baseAddress!.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
    }

    private static func byteCount(_ size: PictureSize) -> Int {
        precondition(size.width > 0 && size.height > 0, "a picture has a size")
        let lumaStride = (size.width + 31) & ~31
        let chromaStride = ((size.width + 1) / 2 + 31) & ~31
        return lumaStride * size.height + 2 * chromaStride * ((size.height + 1) / 2)
    }
}
