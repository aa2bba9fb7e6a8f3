import Glibc
import MediaTypes
import Synchronization
import Testing

@testable import Realtime

/// What a watcher has told, with the time.
private final class Told: Sendable {
    private let changes = Mutex<[NetworkChange]>([])
    private let calls = Mutex<Int>(0)
    let clockCalls = Mutex<Int>(0)

    func add(_ new: [NetworkChange]) {
        changes.withLock { $0 += new }
        calls.withLock { $0 += 1 }
    }

    /// What was told since the last call of this, once nothing more has come for 400 ms.
    func settled() -> [NetworkChange] {
        var count = -1
        while count != calls.withLock({ $0 }) {
            count = calls.withLock { $0 }
            usleep(400_000)
        }
        return changes.withLock { changes in
            defer { changes = [] }
            return changes
        }
    }

    func sees(_ change: NetworkChange) -> Bool {
        for _ in 0..<2_000 where !changes.withLock({ $0.contains(change) }) { usleep(1_000) }
        return changes.withLock { $0.contains(change) }
    }
}

/// Gives the calling thread a network namespace of its own. Swift does not see unshare(2).
private func unshareNetwork() -> Bool {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { return false }
    let newNetwork: Int32 = 0x4000_0000
    return unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0
}

/// Runs `ip` of iproute2 in the namespace of the calling thread.
private func ip(_ arguments: String) -> Bool {
    var pid = pid_t()
    let words = ["ip"] + arguments.split(separator: " ").map(String.init)
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    guard posix_spawnp(&pid, "ip", nil, nil, &pointers, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    return status == 0
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct SystemWatcherTests {
    private final class Permission: Sendable {
        let isGiven = Atomic<Bool>(false)
    }

    /// Runs a body on a thread with a network of its own; false: that is not permitted here.
    private func inOwnNetwork(_ body: @escaping @Sendable () -> Void) throws -> Bool {
        let permission = Permission()
        let done = try EventSignal()
        let thread = try RealtimeThread(name: "cb-test-netns", stackBytes: 1 << 20) { _ in
            if unshareNetwork() && ip("link set lo up") {
                permission.isGiven.store(true, ordering: .relaxed)
                body()
            }
            done.signal()
        }
        #expect(done.wait(timeoutMilliseconds: 100_000))
        thread.stopAndJoin()
        return permission.isGiven.load(ordering: .relaxed)
    }

    @Test func linksAddressesAndRoutesAreToldOnceAndTheLoopbackNever() throws {
        let ran = try inOwnNetwork {
            let told = Told()
            let watcher = WatcherThread(onNetworkChange: told.add, onClockSet: {})
            do {
                try watcher.start()
            } catch {
                Issue.record("\(error)")
                return
            }
            #expect(ip("addr add 127.0.0.9/8 dev lo"))
            #expect(ip("link add eth7 type veth peer name far7"))
            #expect(told.settled() == [])

            #expect(ip("link set eth7 up"))
            // Nobody at the other end: no carrier.
            #expect(told.settled() == [])
            let start = MonotonicClock.now()
            #expect(ip("link set far7 up"))
            #expect(told.sees(.linkUp(interface: "eth7")))
            let took = MonotonicClock.now() - start
            print("link-up told after \(took.milliseconds) ms")
            #expect(took < .seconds(1))
            #expect(Set(told.settled()) == [.linkUp(interface: "eth7"), .linkUp(interface: "far7"), .offline])

            #expect(ip("addr add 192.0.2.7/24 dev eth7"))
            #expect(told.settled() == [.addressAdded("192.0.2.7", interface: "eth7")])
            // A renewed lease is no news.
            #expect(ip("addr change 192.0.2.7/24 dev eth7 valid_lft 1000 preferred_lft 1000"))
            #expect(told.settled() == [])
            #expect(ip("route add default via 192.0.2.1 dev eth7"))
            #expect(told.settled() == [.routeChanged(interface: "eth7")])
            #expect(ip("-6 addr add 2001:db8::7/64 dev eth7 nodad"))
            #expect(told.settled() == [.addressAdded("2001:db8::7", interface: "eth7")])

            #expect(ip("link set far7 down"))
            #expect(
                Set(told.settled()).isSuperset(of: [
                    .linkDown(interface: "eth7"), .linkDown(interface: "far7"), .offline,
                ]))
            // Another address in place of the old one: one report, what went before what came.
            #expect(ip("link set far7 up"))
            _ = told.settled()
            #expect(ip("addr add 198.51.100.7/24 dev eth7") && ip("addr del 192.0.2.7/24 dev eth7"))
            let moved = told.settled()
            #expect(moved.contains(.addressAdded("198.51.100.7", interface: "eth7")))
            #expect(moved.contains(.addressRemoved("192.0.2.7", interface: "eth7")))
            watcher.stop()
            #expect(ip("addr add 203.0.113.7/24 dev eth7"))
            #expect(told.settled() == [])
        }
        if !ran { print("SKIPPED: no network namespace or no iproute2 here: NetworkWatcher is not tested") }
    }

    @Test func whatWasMissedByAnOverflowIsToldAllTheSame() throws {
        let ran = try inOwnNetwork {
            guard let watcher = try? NetworkWatcher() else {
                Issue.record("no watcher")
                return
            }
            var size: Int32 = 1
            // The kernel's least is a few KiB.
            setsockopt(watcher.fileDescriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
            for index in 0..<40 { #expect(ip("addr add 127.1.0.\(index)/32 dev lo")) }
            #expect(ip("link add eth7 type veth peer name far7"))
            #expect(ip("link set eth7 up") && ip("link set far7 up") && ip("addr add 192.0.2.7/24 dev eth7"))
            let now = MonotonicClock.now()
            watcher.receive(at: now)
            #expect(watcher.nextDeadline <= now + .milliseconds(250))
            #expect(watcher.changes(at: now).isEmpty)
            #expect(watcher.changes(at: watcher.nextDeadline).contains(.addressAdded("192.0.2.7", interface: "eth7")))
            #expect(watcher.nextDeadline == .distantFuture)
        }
        if !ran { print("SKIPPED: no network namespace or no iproute2 here: NetworkWatcher is not tested") }
    }

    @Test func aClockThatNobodySetsIsNotTold() throws {
        // That it is told cannot be tried without setting the clock of this machine.
        let told = Told()
        let watcher = WatcherThread(onNetworkChange: { _ in }, onClockSet: { told.clockCalls.withLock { $0 += 1 } })
        try watcher.start()
        usleep(300_000)
        watcher.stop()
        watcher.stop()
        #expect(told.clockCalls.withLock { $0 } == 0)
        let clock = try ClockWatcher()
        #expect(!clock.wasSet() && !clock.wasSet())
    }

    @Test func aClockInThePastIsNotSet() {
        #expect(!WallClock.isPlausible(unixTime: 0) && !WallClock.isPlausible(unixTime: 1_700_000_000))
        #expect(WallClock.isPlausible(unixTime: 1_800_000_000))
        #expect(WallClock.dateText(unixTime: 0) == "1970-01-01")
        #expect(WallClock.dateText(unixTime: 1_796_000_461) == "2026-11-30")
    }
}
