import CLinuxShims

/// Counts allocations of the calling thread, for the tests which prove that a media path makes none.
///
/// Malloc is interposed in debug builds without a sanitizer, and with `CALLBOX_COUNT_ALLOCATIONS=1` at build time;
/// elsewhere the counts are 0 and `isActive` is false.
package enum AllocationCounter {
    /// Whether counts mean anything in this build.
    package static var isActive: Bool { ccb_counts_allocations() != 0 }

    /// Allocations of the calling thread since it started, in Swift and in every library.
    package static var count: Int { Int(ccb_allocation_count()) }

    /// Allocations made by the calling thread while the body ran.
    package static func count<Failure: Error>(in body: () throws(Failure) -> Void) throws(Failure) -> Int {
        let before = ccb_allocation_count()
        try body()
        return Int(ccb_allocation_count() - before)
    }
}
