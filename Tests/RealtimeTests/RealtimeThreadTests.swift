import CLinuxShims
import Glibc
import MediaTypes
import Synchronization
import Testing

@testable import Realtime

@Suite(.timeLimit(.minutes(5))) struct RealtimeThreadTests {
    private final class Seen: Sendable {
        let identifier = Atomic<Int32>(0)
        let isNamed = Atomic<Bool>(false)
        let blocksTerm = Atomic<Bool>(false)
        let stackBytes = Atomic<Int>(0)
    }

    /// The least that a processor needs differs: 16 KiB on amd64, 128 KiB on arm64.
    @Test func aThreadGetsTheStackThatItNeedsHoweverLittleIsAskedFor() throws {
        let seen = Seen()
        let thread = try RealtimeThread(name: "cb-test", stackBytes: 1) { _ in
            seen.stackBytes.store(Int(ccb_thread_stack_bytes()), ordering: .relaxed)
        }
        thread.stopAndJoin()
        let least = max(64 * 1_024, sysconf(Int32(_SC_THREAD_STACK_MIN)))
        #expect((least..<1_024 * 1_024).contains(seen.stackBytes.load(ordering: .relaxed)))
    }

    @Test func theBodyRunsOnAThreadOfThatNameWithNoSignals() throws {
        let seen = Seen()
        let ran = try EventSignal()
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        let wasBlocked = sigismember(&mask, SIGTERM)
        let thread = try RealtimeThread(name: "cb-test-thread1", stackBytes: 128 * 1_024) { _ in
            seen.identifier.store(ccb_gettid(), ordering: .relaxed)
            seen.isNamed.store(nameOfThisThread() == "cb-test-thread1", ordering: .relaxed)
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            seen.blocksTerm.store(sigismember(&mask, SIGTERM) == 1, ordering: .relaxed)
            ran.signal()
        }
        #expect(ran.wait(timeoutMilliseconds: 10_000))
        thread.stopAndJoin()
        #expect(seen.identifier.load(ordering: .relaxed) != ccb_gettid())
        #expect(seen.identifier.load(ordering: .relaxed) > 0)
        #expect(seen.isNamed.load(ordering: .relaxed) == true)
        #expect(seen.blocksTerm.load(ordering: .relaxed) == true)
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        #expect(sigismember(&mask, SIGTERM) == wasBlocked)
    }

    @Test func stoppingWakesAThreadThatWaits() throws {
        let wake = try EventSignal()
        let thread = try RealtimeThread(name: "cb-test", wakeSignal: wake) { stop in
            while !stop.isSet { _ = wake.wait(timeoutMilliseconds: -1) }
        }
        thread.stopAndJoin()
        thread.stopAndJoin()
    }

    @Test func aRealtimeThreadRunsEvenWhereItIsNotPermitted() throws {
        let ran = try EventSignal()
        let thread = try RealtimeThread(name: "cb-test", priority: .realtime(10)) { _ in
            // The policy is settled before the body starts, whatever the kernel said.
            ran.signal()
        }
        #expect(ran.wait(timeoutMilliseconds: 10_000))
        thread.stopAndJoin()
        _ = thread.isRealtime
    }

    @Test func theBodyIsFreedWhenTheThreadHasEnded() throws {
        final class Captured: Sendable {}
        weak var reference: Captured?
        do {
            let captured = Captured()
            reference = captured
            let thread = try RealtimeThread(name: "cb-test") { _ in _ = captured }
            thread.stopAndJoin()
        }
        #expect(reference == nil)
    }

    @Test func theClockSleepsUntilItsDeadlineAndNotForThePast() {
        let start = MonotonicClock.now()
        MonotonicClock.sleep(until: start - .seconds(Int64(5)))
        MonotonicClock.sleep(until: start + .milliseconds(20))
        #expect(MonotonicClock.now() >= start + .milliseconds(20))
    }

    @Test func anEventSignalTimesOutAndIsTakenByOneWait() throws {
        let signal = try EventSignal()
        let start = MonotonicClock.now()
        #expect(!signal.wait(timeoutMilliseconds: 15))
        #expect(MonotonicClock.now() - start >= .milliseconds(14))
        signal.signal()
        signal.signal()
        #expect(signal.wait(timeoutMilliseconds: -1))
        #expect(!signal.wait(timeoutMilliseconds: 0))
        signal.signal()
        signal.drain()
        #expect(!signal.wait(timeoutMilliseconds: 0))
    }

    @Test func aSystemErrorSaysWhatWasTried() {
        let error = SystemError(code: ENOENT, operation: "open the file")
        #expect(error.description == "cannot open the file: No such file or directory")
    }
}

private func nameOfThisThread() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { name in
        let descriptor = open("/proc/thread-self/comm", O_RDONLY)
        defer { close(descriptor) }
        let count = read(descriptor, name.baseAddress, 15)
        name[max(0, count)] = 0
        // The buffer has an address: its capacity is not 0.
        return String(String(cString: name.baseAddress!).prefix { $0 != "\n" })
    }
}
