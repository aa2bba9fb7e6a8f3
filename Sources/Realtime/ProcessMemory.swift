import CLinuxShims

/// Keeps the memory of the process small.
package enum ProcessMemory {
    /// Sets malloc up for a process with many threads and few large blocks. Call once, before the first thread starts.
    ///
    /// All threads share a few arenas: by default every thread gets one, which keeps what was freed in it; media threads
    /// allocate at start only, so sharing costs them nothing. Blocks of 128 KiB and more (pictures, codec buffers) are
    /// mappings of their own for ever, not only until the first one is freed, so that what a call used is gone after it.
    package static func limitArenas(to count: Int32 = 2) {
        ccb_configure_malloc(count, 128 * 1_024)
    }

    /// Lets go of program and library pages that only repeat their files: what starting, joining and drawing words needed
    /// once stays resident otherwise, a third of a small process. What is needed again comes back from the page cache.
    /// - Returns: KiB let go, of which the part in use returns within a second.
    /// - Thread: any; takes some milliseconds.
    package static func releaseFilePages() -> Int { Int(ccb_release_file_pages()) }

    /// Bytes that were allocated and not freed: what a leak makes grow, whatever free memory lies in between.
    package static var bytesInUse: Int { Int(ccb_malloc_bytes_in_use()) }

    /// Gives memory that was freed back to the kernel: after a call has ended.
    package static func trim() {
        ccb_trim_malloc()
    }
}
