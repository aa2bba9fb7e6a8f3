import CLineShims
import Glibc

/// Tells when a device node may have come, may be opened now, or went: who waits for one need not look all the time, and
/// who has one learns that it is dead (kernels before 6.6 wake nobody who waits for a line of a chip that goes).
///
/// - Thread: one (`cb-lines`).
package final class DeviceArrivals {
    /// Where GPIO chips and input devices appear; the second exists only while there is one.
    package static let deviceFolders = ["/dev", "/dev/input"]

    /// Readable after something has changed in the folders.
    package let fileDescriptor: Int32
    private let folders: [String]

    /// Nil where the kernel has no watch left: then retries alone must do.
    package init?(folders: [String] = DeviceArrivals.deviceFolders) {
        fileDescriptor = ccb_arrivals_open()
        self.folders = folders
        guard fileDescriptor >= 0 else { return nil }
        watch()
    }

    deinit {
        if fileDescriptor >= 0 { close(fileDescriptor) }
    }

    /// Takes what was told.
    package func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while read(fileDescriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
        // The folder itself may be what is new.
        watch()
    }

    private func watch() {
        for folder in folders { _ = ccb_arrivals_watch(fileDescriptor, folder) }
    }
}
