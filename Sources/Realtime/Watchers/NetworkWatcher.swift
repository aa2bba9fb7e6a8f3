import CLinuxShims
import Glibc
import MediaTypes

/// Notices that links, addresses or default routes of this machine change (rtnetlink(7)).
///
/// The kernel's messages only say that something happened; what it was is found by comparing with what there was. So a
/// renewed lease, a repeated advertisement and an overflow of the socket are no trouble.
/// - Thread: one at a time; it waits on `fileDescriptor` and `nextDeadline`. In an endpoint that is `cb-net`.
package final class NetworkWatcher {
    /// A change is told when nothing more has come for `quiet`, and at the latest after `longest`.
    private static let quiet = Interval.milliseconds(50)
    private static let longest = Interval.milliseconds(250)

    /// Readable when `receive(at:)` must be called.
    package let fileDescriptor: Int32
    /// When `changes(at:)` must be called.
    package private(set) var nextDeadline = MonotonicTime.distantFuture
    private var latest = MonotonicTime.distantFuture
    private var known: NetworkSnapshot

    /// Watches the network namespace of the calling thread.
    /// - Errors: no rtnetlink for this process (a service needs `AF_NETLINK` in `RestrictAddressFamilies=`).
    package init() throws(SystemError) {
        let descriptor = ccb_network_events()
        guard descriptor >= 0 else { throw SystemError(code: -descriptor, operation: "watch the network") }
        do {
            known = try NetworkSnapshot.read()
        } catch {
            close(descriptor)
            throw error
        }
        fileDescriptor = descriptor
    }

    deinit {
        close(fileDescriptor)
    }

    /// Takes what the kernel says.
    package func receive(at now: MonotonicTime) {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        // ENOBUFS: messages were lost, which is a change like any other.
        var isNews = false
        while recv(fileDescriptor, &buffer, buffer.count, 0) >= 0 || errno == ENOBUFS || errno == EINTR {
            isNews = true
        }
        guard isNews else { return }
        latest = min(latest, now + Self.longest)
        nextDeadline = min(latest, now + Self.quiet)
    }

    /// What has changed; empty when nothing has, or when the time has not come.
    package func changes(at now: MonotonicTime) -> [NetworkChange] {
        guard nextDeadline <= now else { return [] }
        guard let snapshot = try? NetworkSnapshot.read() else {
            nextDeadline = now + Self.longest
            return []
        }
        latest = .distantFuture
        nextDeadline = .distantFuture
        defer { known = snapshot }
        return snapshot.changes(since: known)
    }
}
