import MediaTypes
import Testing

@testable import MediaTransport

/// Frames as lists of packets with one payload byte each, so that a frame's bytes tell which packets are in it.
@Suite struct FrameAssemblerTests {
    private final class Rig {
        let pool: PacketPool
        var assembler: FrameAssembler

        init() {
            pool = PacketPool()
            assembler = FrameAssembler(pool: pool)
        }

        @discardableResult
        func insert(
            _ sequence: Int64, frame: Int64, starts: Bool = false, ends: Bool = false, key: Bool = false,
            padding: Bool = false
        ) -> FrameAssembler.Insertion {
            let payload: [UInt8] = padding ? [] : [UInt8(truncatingIfNeeded: sequence)]
            return payload.withUnsafeBytes {
                assembler.insert(
                    FrameAssembler.Packet(
                        sequence: sequence, timestamp: frame * 3_000, marker: ends, startsFrame: starts,
                        isKeyFrame: key, payload: $0))
            }
        }

        /// Numbers of the frames that can be handed on now.
        func take() -> [Int64] {
            var numbers: [Int64] = []
            while let frame = assembler.nextFrame() {
                var bytes = [UInt8](repeating: 0, count: frame.byteCount)
                bytes.withUnsafeMutableBytes { assembler.take(frame, into: $0) }
                check(bytes == (frame.first...frame.last).map { UInt8(truncatingIfNeeded: $0) })
                numbers.append(frame.timestamp / 3_000)
            }
            return numbers
        }
    }

    @Test(arguments: wrapAroundStarts) func framesComeOutInOrderWhateverTheOrderOfTheirPackets(start: UInt16) {
        let rig = Rig()
        let base = Int64(start)
        rig.insert(base + 1, frame: 0, ends: true)
        check(rig.take() == [])
        rig.insert(base + 3, frame: 1, ends: true)
        rig.insert(base, frame: 0, starts: true, key: true)
        check(rig.take() == [0])
        rig.insert(base + 4, frame: 2, starts: true, ends: true)
        check(rig.take() == [])
        check(rig.assembler.isBlocked)
        rig.insert(base + 2, frame: 1, starts: true)
        check(rig.take() == [1, 2])
        check(!rig.assembler.isBlocked)
    }

    @Test func everyOrderOfThreeFramesGivesTheSameFrames() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            let rig = Rig()
            var numbers: [Int64] = []
            for step in (0..<9).shuffled(using: &random) {
                let sequence = Int64(step)
                rig.insert(
                    sequence, frame: sequence / 3, starts: sequence % 3 == 0, ends: sequence % 3 == 2,
                    key: sequence == 0)
                numbers += rig.take()
            }
            check(numbers == [0, 1, 2])
        }
    }

    @Test func nothingIsHandedOnBeforeAKeyFrame() {
        let rig = Rig()
        // What stands before the first packet may still be a key frame; what stands before the second frame is not.
        check(rig.insert(0, frame: 0, starts: true) == .stored)
        check(rig.insert(1, frame: 0, ends: true) == .stored)
        check(rig.insert(2, frame: 1, starts: true, ends: true) == .useless)
        check(rig.take() == [])
        rig.insert(3, frame: 2, starts: true, ends: true, key: true)
        check(rig.take() == [2])
    }

    @Test func aStreamWithoutKeyFramesTakesLittleMemory() {
        let rig = Rig()
        for sequence: Int64 in 0..<5_000 { rig.insert(sequence, frame: sequence, starts: true, ends: true) }
        check(rig.pool.usedCount <= Int(FrameAssembler.patience) + 1)
    }

    @Test func deltaFramesBehindAnUnfinishedFirstKeyFrameAreKept() {
        let rig = Rig()
        rig.insert(0, frame: 0, starts: true, key: true)
        rig.insert(2, frame: 1, starts: true, ends: true)
        rig.insert(3, frame: 2, starts: true, ends: true)
        check(rig.take() == [])
        rig.insert(1, frame: 0, ends: true)
        check(rig.take() == [0, 1, 2])
    }

    @Test func aCompleteKeyFrameJumpsOverWhatIsMissing() {
        let rig = Rig()
        rig.insert(0, frame: 0, starts: true, ends: true, key: true)
        check(rig.take() == [0])
        rig.insert(2, frame: 2, starts: true, ends: true)
        rig.insert(3, frame: 3, starts: true, ends: true, key: true)
        check(rig.take() == [3])
        check(rig.insert(1, frame: 1, starts: true, ends: true) == .old)
        rig.insert(4, frame: 4, starts: true, ends: true)
        check(rig.take() == [4])
        check(rig.assembler.droppedFrames == 1)
    }

    @Test func paddingBetweenFramesDoesNotBreakTheChain() {
        let rig = Rig()
        rig.insert(0, frame: 0, starts: true, ends: true, key: true)
        rig.insert(1, frame: 0, padding: true)
        rig.insert(2, frame: 0, padding: true)
        rig.insert(3, frame: 1, starts: true, ends: true)
        check(rig.take() == [0, 1])
    }

    @Test func aFrameWithoutMarkerEndsWhereTheNextBegins() {
        let rig = Rig()
        rig.insert(0, frame: 0, starts: true, key: true)
        rig.insert(1, frame: 0)
        check(rig.take() == [])
        rig.insert(2, frame: 1, starts: true, ends: true)
        check(rig.take() == [0, 1])
    }

    @Test func duplicatesAreRefused() {
        let rig = Rig()
        rig.insert(5, frame: 0, starts: true, key: true)
        check(rig.insert(5, frame: 0, starts: true, key: true) == .duplicate)
    }

    @Test func memoryIsBoundedAndTheNewestKeyFrameSurvives() {
        let rig = Rig()
        rig.insert(0, frame: 0, starts: true, ends: true, key: true)
        check(rig.take() == [0])
        // Packet 1 never comes; a key frame begins at 400 and lacks its end.
        var full = 0
        for sequence: Int64 in 2..<400 { rig.insert(sequence, frame: sequence, starts: true, ends: true) }
        rig.insert(400, frame: 400, starts: true, key: true)
        for sequence: Int64 in 402..<900 {
            if rig.insert(sequence, frame: sequence, starts: true, ends: true) == .full { full += 1 }
        }
        check(full == 1)
        rig.insert(401, frame: 400, ends: true)
        check(rig.take() == [400] + (402..<900).map { Int64($0) })
    }

    @Test func aHostileStreamNeverEndsInMoreThanTheLimit() {
        let rig = Rig()
        var random = SeededRandom(seed: 3)
        print("seed 3")
        for _ in 0..<20_000 {
            let sequence = Int64(random.next() % 5_000)
            rig.insert(
                sequence, frame: Int64(random.next() % 50), starts: random.next() % 3 == 0,
                ends: random.next() % 3 == 0,
                key: random.next() % 5 == 0, padding: random.next() % 7 == 0)
            while let frame = rig.assembler.nextFrame() { rig.assembler.take(frame, into: nil) }
        }
        rig.assembler.reset()
        check(rig.assembler.highest == nil)
    }
}
