import Glibc
import MediaTypes
import Realtime
import Synchronization
import Telemetry
import Testing

@testable import Endpoint

/// Loops that a test turns by hand, and the service manager's end of a real socket.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServiceWatchTests {
    private static func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0) + .milliseconds(milliseconds)
    }

    /// Sets the variables for the time of `body`; tests of this suite follow each other.
    private static func supervised(
        watchdogSeconds: Int?, _ body: (NotifyReceiver, ServiceManager) throws -> Void
    ) throws {
        let receiver = try #require(NotifyReceiver())
        setenv("NOTIFY_SOCKET", receiver.name, 1)
        if let watchdogSeconds { setenv("WATCHDOG_USEC", "\(watchdogSeconds)000000", 1) }
        defer {
            unsetenv("NOTIFY_SOCKET")
            unsetenv("WATCHDOG_USEC")
        }
        try body(receiver, try #require(ServiceManager()))
    }

    @Test func itIsReadyWhenEveryLoopHasTurnedAndFedWhileTheyTurn() throws {
        try Self.supervised(watchdogSeconds: 30) { receiver, manager in
            var watch = ServiceWatch(manager)
            let loops = [Heartbeat(name: "a", at: Self.time(0)), Heartbeat(name: "b", at: Self.time(0))]
            loops[0].beat()
            watch.turn(at: loops, now: MonotonicClock.now())
            #expect(!receiver.all().contains("READY=1"))
            loops[1].beat()
            watch.turn(at: loops, now: MonotonicClock.now())
            #expect(receiver.all().contains("READY=1"))
            #expect(watch.interval == .seconds(2))
        }
    }

    @Test func aStuckLoopEndsTheFeedingAndAsksForARestartOnce() throws {
        try Self.supervised(watchdogSeconds: 30) { receiver, manager in
            var watch = ServiceWatch(manager)
            let now = MonotonicClock.now()
            let loop = Heartbeat(name: "loop", at: now)
            loop.beat()
            for seconds in stride(from: Int64(0), through: 8, by: 2) {
                watch.turn(at: [loop], now: now + .seconds(seconds))
            }
            #expect(receiver.all() == ["READY=1", "WATCHDOG=1"])
            for seconds in stride(from: Int64(10), through: 40, by: 2) {
                watch.turn(at: [loop], now: now + .seconds(seconds))
            }
            #expect(receiver.all() == ["WATCHDOG=trigger"])
        }
    }

    @Test func withoutAWatchdogItOnlySaysThatItIsReady() throws {
        try Self.supervised(watchdogSeconds: nil) { receiver, manager in
            var watch = ServiceWatch(manager)
            let now = MonotonicClock.now()
            let loop = Heartbeat(name: "loop", at: now)
            loop.beat()
            for seconds in stride(from: Int64(0), through: 40, by: 2) {
                watch.turn(at: [loop], now: now + .seconds(seconds))
            }
            #expect(receiver.all() == ["READY=1"])
            #expect(watch.interval == .seconds(60))
        }
    }
}

/// The socket of which `NOTIFY_SOCKET` tells, in the abstract name space.
private final class NotifyReceiver {
    let name: String
    private let descriptor: Int32

    init?() {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        name = "@callbox-watch-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [0] + Array(name.utf8.dropFirst())
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// What has come since the last look.
    func all() -> [String] {
        var texts: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count >= 0 else { return texts }
            texts.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
