import Glibc
import Testing

@testable import Realtime

@Suite struct SampleRingTests {
    @Test func aFullRingTakesOnlyWhatFitsAndAnEmptyOneGivesNothing() {
        let ring = SampleRing(capacity: 100)
        #expect(ring.availableToRead == 0 && ring.availableToWrite == 128)
        #expect(ring.read(count: 10).isEmpty)
        #expect(ring.write(samples: Array(0..<200)) == 128)
        #expect(ring.write(samples: [1]) == 0)
        #expect(ring.availableToRead == 128 && ring.availableToWrite == 0)
        #expect(ring.discard(100) == 100)
        #expect(ring.read(count: 100) == Array(100..<128))
        #expect(ring.discard(1) == 0)
    }

    @Test func samplesSurviveTheWrapAround() {
        let ring = SampleRing(capacity: 1_024)
        var next: Int16 = 0
        for round in 0..<3_000 {
            let count = (round * 53) % 480 + 1
            let samples = (0..<count).map { next &+ Int16($0) }
            next = next &+ Int16(count)
            #expect(ring.write(samples: samples) == count)
            #expect(ring.read(count: count) == samples)
        }
    }

    @Test(.timeLimit(.minutes(5))) func twoThreadsPassEverySampleOn() throws {
        let ring = SampleRing(capacity: 2_048)
        let total = 2_000_000
        let producer = try RealtimeThread(name: "test-producer") { _ in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: 480) { period in
                var sent = 0
                while sent < total {
                    let count = min(480, total - sent)
                    for index in 0..<count { period[index] = Int16(truncatingIfNeeded: sent + index) }
                    let taken = ring.write(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(period)[0..<count]))
                    sent += taken
                    if taken == 0 { sched_yield() }
                }
            }
        }
        var received = 0
        var isRight = true
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 333) { buffer in
            while received < total {
                let count = ring.read(into: buffer)
                for index in 0..<count where buffer[index] != Int16(truncatingIfNeeded: received + index) {
                    isRight = false
                }
                received += count
                if count == 0 { sched_yield() }
            }
        }
        producer.stopAndJoin()
        #expect(isRight)
        #expect(ring.availableToRead == 0)
    }
}

extension SampleRing {
    func write(samples: [Int16]) -> Int {
        samples.withUnsafeBufferPointer { write($0) }
    }

    func read(count: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.initialize(repeating: 0)
            initialized = read(into: buffer)
        }
    }
}
