import Glibc
import MediaTypes
import Synchronization

/// Gives back memory that libvpx's encoder clears when it is opened and then hardly uses.
///
/// The encoder reserves room for the tokens of the worst imaginable frame (6 KiB a macroblock: 7 MB at VGA, 22 MB at
/// 720p) and clears it, by which the kernel must provide all of it; a real frame needs a few per cent. Dropping pages of
/// private memory that hold only zeros changes nothing that can be read: the kernel gives zeros again when they are
/// touched.
///
/// The room is found as glibc lays it out: a mapping of its own that begins with its length. Where nothing of exactly
/// that kind appeared (another allocator, a sanitizer), nothing is done.
enum TokenMemory {
    /// Encoders opened at the same time would see each other's memory as new.
    private static let turn = Mutex<Void>(())
    /// `TOKENEXTRA` entries for a macroblock (vp8/encoder/onyx_if.c, `alloc_compressor_data`), and their bytes.
    private static let bytesPerMacroblock = 24 * 16 * 16
    /// What `vpx_memalign` adds for alignment, and malloc for its own two words.
    private static let overheadBytes = 15 + 8 + 16
    /// glibc's mark for a chunk that is a mapping of its own (`IS_MMAPPED`).
    private static let mappedMark: UInt = 2

    /// Opens an encoder for pictures of this size and gives back what it only cleared.
    /// - Returns: bytes given back, 0 when the memory was not found.
    static func reclaim(
        opening size: PictureSize, by open: () throws(CodecError) -> Void
    ) throws(CodecError) -> Int {
        try turn.withLock { (_) throws(CodecError) -> Int in
            let before = AnonymousMappings()
            try open()
            guard let before, let after = AnonymousMappings() else { return 0 }
            return drop(size: size, in: after.subtracting(before))
        }
    }

    private static func drop(size: PictureSize, in fresh: [Range<UInt>]) -> Int {
        let page = UInt(max(4_096, sysconf(Int32(_SC_PAGESIZE))))
        let macroblocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
        let needed = UInt(macroblocks * bytesPerMacroblock + overheadBytes)
        let length = (needed + page - 1) / page * page
        // Read by the kernel: a mapping that another thread takes away meanwhile is an error here, not a fault.
        let memory = Glibc.open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { return 0 }
        defer { close(memory) }
        for range in fresh where range.upperBound - range.lowerBound >= length {
            for address in stride(from: range.lowerBound, through: range.upperBound - length, by: Int(page)) {
                var header: (UInt, UInt) = (1, 1)
                guard pread(memory, &header, 16, off_t(address)) == 16, header == (0, length | mappedMark) else {
                    continue
                }
                return dropZeros(from: address + page, to: address + length)
            }
        }
        return 0
    }

    private static func dropZeros(from start: UInt, to end: UInt) -> Int {
        guard let first = UnsafeMutableRawPointer(bitPattern: start), end > start else { return 0 }
        let words = UnsafeRawBufferPointer(start: first, count: Int(end - start)).assumingMemoryBound(to: UInt64.self)
        for word in words where word != 0 { return 0 }
        return madvise(first, Int(end - start), Int32(MADV_DONTNEED)) == 0 ? Int(end - start) : 0
    }
}
