import Glibc
import MediaTypes

/// Tells the service manager that started this process how it is: sd_notify(3).
///
/// The protocol is one datagram of `NAME=value` lines to the socket that `NOTIFY_SOCKET` names, documented and promised to
/// stay. It is sent from here because libsystemd for it costs 1.1 MB of resident memory on Debian 12 (it brings liblzma,
/// zstd, lz4, gcrypt, gpg-error and cap); measured with a program that does nothing else.
/// - Thread: any but the real-time ones; nothing here waits. A datagram that the manager does not take is lost: what must
///   arrive is sent again.
package final class ServiceManager: Sendable {
    private static let longestStatusBytes = 512

    /// The manager restarts this process when `feedWatchdog` is not heard for so long; nil: it does not ask for it.
    package let watchdogTime: Interval?
    private let descriptor: Int32
    private let address: [UInt8]

    /// What the environment asks for; nil when no manager wants to hear (or the socket cannot be made).
    package convenience init?() {
        self.init { name in getenv(name).map { String(cString: $0) } }
    }

    /// - Parameter variable: a variable of the environment.
    init?(processID: Int32 = getpid(), variable: (String) -> String?) {
        guard let name = variable("NOTIFY_SOCKET"), let address = ServiceManager.address(name) else { return nil }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.address = address
        watchdogTime = ServiceManager.watchdogTime(
            microseconds: variable("WATCHDOG_USEC"), meantFor: variable("WATCHDOG_PID"), processID: processID)
    }

    deinit {
        close(descriptor)
    }

    /// The service does its work now; a manager that waited for that goes on.
    @discardableResult package func tellReady() -> Bool { send("READY=1") }

    /// One line for people: `systemctl status` shows it.
    @discardableResult package func tell(status: String) -> Bool {
        send("STATUS=\(ServiceManager.printable(status))")
    }

    /// From now on the end of the process is no surprise.
    @discardableResult package func tellStopping() -> Bool { send("STOPPING=1") }

    /// The process is well; at least twice in `watchdogTime`.
    @discardableResult package func feedWatchdog() -> Bool { send("WATCHDOG=1") }

    /// The process is not well and asks to be restarted, as if it had not fed the watchdog (systemd 243 and later).
    @discardableResult package func triggerWatchdog() -> Bool { send("WATCHDOG=trigger") }

    private func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return address.withUnsafeBytes { address in
            guard let pointer = address.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            let sent = sendto(
                descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), pointer,
                socklen_t(address.count))
            return sent == bytes.count
        }
    }

    /// A sockaddr_un with the length that belongs to the name: `/path`, or `@name` in the abstract name space, whose names
    /// are not ended by a zero.
    static func address(_ name: String) -> [UInt8]? {
        let bytes = Array(name.utf8)
        guard let first = bytes.first, bytes.count > 1 else { return nil }
        let isAbstract = first == UInt8(ascii: "@")
        // Others (vsock, of virtual machines) are not for a service.
        guard isAbstract || first == UInt8(ascii: "/") else { return nil }
        let path = isAbstract ? [0] + bytes.dropFirst() : bytes + [0]
        guard path.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        let family = withUnsafeBytes(of: sa_family_t(AF_UNIX)) { Array($0) }
        return family + path
    }

    private static func watchdogTime(microseconds: String?, meantFor target: String?, processID: Int32) -> Interval? {
        // Inherited from a parent that was meant.
        if let target, Int32(target) != processID { return nil }
        guard let microseconds = microseconds.flatMap({ Int64($0) }), microseconds > 0 else { return nil }
        return .microseconds(min(microseconds, .max / 1_000))
    }

    /// A line break would begin another assignment.
    private static func printable(_ text: String) -> String {
        var clean = ""
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            let next = isControl ? " " : Character(scalar)
            if clean.utf8.count + String(next).utf8.count > longestStatusBytes { break }
            clean.append(next)
        }
        return clean
    }
}
