import Glibc
import MediaTypes
import Realtime
import Synchronization
import Testing

@testable import PeerConnection

struct NetworkLoopTests {
    @Test func postedWorkRunsInOrderOnTheThreadOfTheLoop() async throws {
        let loop = try NetworkLoop()
        let seen = Mutex<[Int]>([])
        for number in 0..<100 {
            loop.post {
                #expect(loop.isCurrent)
                seen.withLock { $0.append(number) }
            }
        }
        let value = await loop.call { 7 }
        #expect(value == 7)
        #expect(!loop.isCurrent)
        #expect(seen.withLock { $0 } == Array(0..<100))
        loop.stopAndJoin()
    }

    @Test func afterTheStopNothingIsTaken() async throws {
        let loop = try NetworkLoop()
        let count = Atomic<Int>(0)
        for _ in 0..<10 { loop.post { count.wrappingAdd(1, ordering: .relaxed) } }
        loop.stopAndJoin()
        loop.stopAndJoin()
        #expect(count.load(ordering: .relaxed) == 10)
        #expect(!loop.post {})
        #expect(await loop.call { 1 } == nil)
        #expect(loop.droppedCount == 2)
    }

    @Test func aTimerFiresOnceWhenItIsDueAndMovesWhenItIsSetAgain() async throws {
        let loop = try NetworkLoop()
        let fired = Mutex<[MonotonicTime]>([])
        let start = MonotonicClock.now()
        await loop.call {
            let box = Box()
            box.timer = loop.makeTimer {
                fired.withLock { $0.append(MonotonicClock.now()) }
                box.timer = nil
            }
            box.timer?.set(start + .milliseconds(10))
            box.timer?.set(start + .milliseconds(60))
        }
        #expect(await RealTime.wait { fired.withLock { !$0.isEmpty } })
        loop.stopAndJoin()
        let times = fired.withLock { $0 }
        #expect(times.count == 1)
        #expect(times.allSatisfy { $0 >= start + .milliseconds(60) })
    }

    @Test func aReaderIsCalledWhileThereIsSomethingToRead() async throws {
        let loop = try NetworkLoop()
        let signal = try EventSignal()
        let count = Atomic<Int>(0)
        await loop.call {
            let box = Box()
            box.reader = loop.addReader(fileDescriptor: signal.fileDescriptor) {
                signal.drain()
                if count.wrappingAdd(1, ordering: .relaxed).newValue == 2 { box.reader = nil }
            }
        }
        for round in 1...3 {
            signal.signal()
            let expected = min(round, 2)
            #expect(await RealTime.wait { count.load(ordering: .relaxed) == expected })
        }
        loop.stopAndJoin()
        #expect(count.load(ordering: .relaxed) == 2)
    }

    private final class Box {
        var timer: NetworkTimer?
        var reader: NetworkReader?
    }
}
