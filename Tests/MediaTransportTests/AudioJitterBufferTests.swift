import MediaTypes
import Testing

@testable import MediaTransport

/// Arrival times in, expected playout out.
@Suite struct AudioJitterBufferTests {
    /// A buffer with a clock, fed with packets of 20 ms whose number is in their content.
    private final class Rig {
        let buffer = AudioJitterBuffer()
        var now = MonotonicTime.zero + .seconds(5 as Int64)
        let start: Int64

        init(timestamp: Int64 = 0) { start = timestamp }

        func insert(_ number: Int64, timestamp: Int64? = nil, payload: [UInt8]? = nil, level: UInt8? = nil) {
            let bytes = payload ?? SyntheticMedia.opus(number: number)
            bytes.withUnsafeBytes {
                buffer.insert(
                    $0, sequence: number, timestamp: timestamp ?? start + number * 960, arrival: now, levelDBov: level)
            }
        }

        /// "12" decode, "f12" rebuilt from 13, "c" concealed, "s" silence.
        func play() -> String {
            defer { now = now + .milliseconds(20) }
            switch buffer.nextFrame(at: now) {
            case .decode(let bytes):
                guard let number = SyntheticMedia.opusNumber(bytes) else { return "d" }
                return "\(number)"
            case .decodeFEC(let bytes, _): return "f\((SyntheticMedia.opusNumber(bytes) ?? 0) - 1)"
            case .conceal: return "c"
            case .silence: return "s"
            }
        }

        /// One packet and one stretch of playing, again and again.
        func run(_ numbers: Range<Int64>, level: UInt8? = nil) -> [String] {
            numbers.map {
                insert($0, level: level)
                return play()
            }
        }
    }

    @Test(arguments: [0, 0xFFFF_FF00, 0x7FFF_FF00, 1 << 40] as [Int64])
    func aSteadyStreamIsPlayedWholeAndInOrder(timestamp: Int64) {
        let rig = Rig(timestamp: timestamp)
        let played = rig.run(0..<200)
        #expect(played.prefix { $0 == "s" }.count <= 4)
        let spoken = Array(played.drop { $0 == "s" })
        #expect(spoken == spoken.indices.map { "\($0)" })
        #expect(rig.buffer.statistics.concealedFrames == 0)
        #expect(rig.buffer.statistics.targetDelay <= .milliseconds(20))
    }

    @Test func aLostPacketIsRebuiltFromTheNext() {
        let rig = Rig()
        _ = rig.run(0..<20)
        rig.now = rig.now + .milliseconds(20)
        // 20 never comes.
        var played: [String] = []
        for number: Int64 in 21..<30 {
            rig.insert(number)
            played.append(rig.play())
        }
        #expect(played.contains("f20"))
        #expect(!played.contains("c"))
        #expect(rig.buffer.statistics.recoveredFrames == 960)
    }

    @Test func withoutRedundancyALostPacketIsConcealed() {
        let rig = Rig()
        _ = rig.run(0..<20)
        rig.now = rig.now + .milliseconds(20)
        var played: [String] = []
        for number: Int64 in 21..<30 {
            rig.insert(number, payload: SyntheticMedia.opus(number: number, hasFEC: false))
            played.append(rig.play())
        }
        #expect(played.filter { $0 == "c" }.count == 1)
        #expect(rig.buffer.statistics.concealedFrames == 960)
    }

    @Test func latePacketsLengthenTheDelayAndAreStillPlayed() {
        let rig = Rig()
        _ = rig.run(0..<50)
        // The network stands still for 200 ms, then everything comes at once.
        var played: [String] = []
        for _ in 0..<10 { played.append(rig.play()) }
        for number: Int64 in 50..<60 { rig.insert(number) }
        played += rig.run(60..<200)
        let numbers = played.compactMap { Int64($0) }
        #expect(numbers == numbers.sorted())
        #expect(numbers.count >= 140)
        #expect(rig.buffer.statistics.concealedFrames <= 5 * 960)
        #expect(rig.buffer.statistics.latePackets == 0)
    }

    @Test func anEndlessDelayShrinksWhereItIsQuiet() {
        let rig = Rig()
        _ = rig.run(0..<50)
        for _ in 0..<5 { _ = rig.play() }
        for number: Int64 in 50..<55 { rig.insert(number) }
        let before = rig.buffer.statistics.currentDelay
        for round: Int64 in 0..<40 { _ = rig.run((55 + round * 50)..<(105 + round * 50), level: 90) }
        #expect(rig.buffer.statistics.acceleratedFrames > 0)
        #expect(rig.buffer.statistics.currentDelay < before)
        #expect(rig.buffer.statistics.currentDelay <= rig.buffer.statistics.targetDelay + .milliseconds(40))
    }

    @Test func aSpeakerThatAsksInBurstsDoesNotCostAudio() {
        let rig = Rig()
        var number: Int64 = 0
        var concealed: Int64 = 0
        for burst in 0..<300 {
            let due = rig.now + .milliseconds(100)
            while rig.now < due {
                rig.insert(number, level: 90)
                number += 1
                rig.now = rig.now + .milliseconds(20)
            }
            // Five stretches at the same moment, as a scheduler under load lets a device ask.
            for _ in 0..<5 {
                _ = rig.play()
                rig.now = rig.now - .milliseconds(20)
            }
            if burst == 100 { concealed = rig.buffer.statistics.concealedFrames }
        }
        #expect(rig.buffer.statistics.concealedFrames == concealed)
        #expect(concealed <= 6 * 960)
    }

    @Test func aDTXGapIsSilenceAndNotLoss() {
        let rig = Rig()
        _ = rig.run(0..<50)
        rig.insert(50, payload: SyntheticMedia.opusDTX)
        var played = [rig.play()]
        // 400 ms without packets, then the sign of life, and again; sequence numbers go on without a gap.
        for sign: Int64 in 1...3 {
            for _ in 0..<19 { played.append(rig.play()) }
            rig.insert(50 + sign, timestamp: (50 + sign * 20) * 960, payload: SyntheticMedia.opusDTX)
            played.append(rig.play())
        }
        #expect(!played.contains("c"))
        // Speech again, 400 ms later.
        for _ in 0..<19 { played.append(rig.play()) }
        var spoken: [String] = []
        for number: Int64 in 0..<30 {
            rig.insert(54 + number, timestamp: (130 + number) * 960)
            spoken.append(rig.play())
        }
        #expect(!spoken.contains("c"))
        #expect(spoken.contains("54"))
        #expect(rig.buffer.statistics.concealedFrames == 0)
    }

    @Test func aMutedSenderComesBackWithoutDelay() {
        let rig = Rig()
        _ = rig.run(0..<100)
        for _ in 0..<(50 * 60 * 5) { _ = rig.play() }
        #expect(rig.buffer.statistics.concealedFrames == 5 * 960)
        // Five minutes later: the clock of the sender went on.
        let shift: Int64 = 50 * 60 * 5
        var played: [String] = []
        for number: Int64 in 100..<150 {
            rig.insert(number, timestamp: (number + shift) * 960)
            played.append(rig.play())
        }
        #expect(played.prefix { $0 == "s" }.count <= 4)
        #expect(!played.contains("c"))
        // And once more, but its clock stood still.
        for _ in 0..<(50 * 60) { _ = rig.play() }
        played = []
        for number: Int64 in 150..<200 {
            rig.insert(number, timestamp: (number + shift) * 960)
            played.append(rig.play())
        }
        #expect(played.drop { $0 == "s" || $0 == "c" }.count >= 45)
        #expect(rig.buffer.statistics.targetDelay <= .milliseconds(60))
    }

    @Test func aDuplicateIsPlayedOnce() {
        let rig = Rig()
        var played: [String] = []
        for number: Int64 in 0..<50 {
            rig.insert(number)
            rig.insert(number)
            if number > 3 { rig.insert(number - 3) }
            played.append(rig.play())
        }
        let numbers = played.compactMap { Int64($0) }
        #expect(numbers == Array(0..<Int64(numbers.count)))
    }

    @Test func hostilePacketsAreCountedAndHarmless() {
        var random = SeededRandom(seed: 21)
        print("seed 21")
        let rig = Rig()
        for _ in 0..<20_000 {
            let bytes = (0..<Int(random.next() % 1_400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            bytes.withUnsafeBytes {
                rig.buffer.insert(
                    $0, sequence: Int64(truncatingIfNeeded: random.next() >> 20),
                    timestamp: Int64(truncatingIfNeeded: random.next() >> 16), arrival: rig.now)
            }
            if random.next() % 3 == 0 { _ = rig.play() }
        }
        #expect(rig.buffer.statistics.invalidPackets > 0)
        #expect(rig.buffer.packetCount <= AudioPacketStore.slotCount)
    }

    @Test(arguments: [480, 1_920, 2_880] as [Int64]) func otherPacketLengthsArePlayedWhole(frames: Int64) {
        // Configurations 8, 10 and 11: SILK wide band, 10, 40 and 60 ms.
        let configuration: UInt8 = frames == 480 ? 8 : frames == 1_920 ? 10 : 11
        let rig = Rig()
        var owed: Int64 = 0
        var nextPacket = rig.now
        var number: Int64 = 0
        while number < 200 {
            if nextPacket <= rig.now {
                rig.insert(number, timestamp: number * frames, payload: [configuration << 3, 0xC0, 1, 2, 3])
                number += 1
                nextPacket = nextPacket + .microseconds(frames * 1_000 / 48)
            }
            while owed <= 0 {
                switch rig.buffer.nextFrame(at: rig.now) {
                case .decode: owed += frames
                case .decodeFEC(_, let count), .conceal(let count), .silence(let count): owed += Int64(count)
                }
            }
            owed -= 480
            rig.now = rig.now + .milliseconds(10)
        }
        #expect(rig.buffer.statistics.concealedFrames == 0)
        #expect(rig.buffer.statistics.playedFrames >= 180 * frames)
    }
}
