import CLinuxShims

/// Keeps the memory of the process small.
package enum ProcessMemory {
    /// Lets all threads share a few malloc arenas. Call once, before the first thread starts.
    ///
    /// By default every thread gets an arena, which keeps what was freed in it; media threads allocate at start only,
    /// so sharing costs them nothing.
    package static func limitArenas(to count: Int32 = 2) {
        ccb_limit_malloc_arenas(count)
    }

    /// Gives memory that was freed back to the kernel: after a call has ended.
    package static func trim() {
        ccb_trim_malloc()
    }
}
