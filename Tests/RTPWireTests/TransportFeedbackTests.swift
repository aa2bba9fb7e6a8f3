import MediaTypes
import Testing

@testable import RTPWire

@Suite struct TransportFeedbackTests {
    private func statuses(_ packet: [UInt8]) -> [String]? {
        withExactBytes(packet) { buffer in
            guard var compound = RTCPCompoundView(buffer), case .transportFeedback(let view)? = compound.next() else {
                return nil
            }
            return view.map { "\($0.sequenceNumber.rawValue):\($0.arrivalTicks.map(String.init) ?? "-")" }
        }
    }

    private static let head = "00000001 00000002"

    @Test func runLengthChunksAreRead() {
        // 3 small, 2 lost, 1 large.
        let packet = bytes("8F CD 0007 \(Self.head) FFFE 0006 000001 07  2003 0002 4001  01 FF 02 FF38 00")
        #expect(statuses(packet) == ["65534:1", "65535:256", "0:258", "1:-", "2:-", "3:58"])
    }

    @Test func oneBitVectorsAreRead() {
        // 1 0 1 then zeros; only 4 of the 14 count.
        let packet = bytes("8F CD 0005 \(Self.head) 0001 0004 000000 00  A800 05 06")
        #expect(statuses(packet) == ["1:5", "2:-", "3:11", "4:-"])
    }

    @Test func twoBitVectorsAreRead() {
        // small, lost, large(−1), small.
        let packet = bytes("8F CD 0006 \(Self.head) 0001 0004 000000 00  D240 05 FFFF 06 0000")
        #expect(statuses(packet) == ["1:5", "2:-", "3:4", "4:10"])
    }

    static let contradictions = [
        "8F CD 0005 \(head) 0001 0004 000000 00  D340 05 06",  // the reserved symbol
        "8F CD 0005 \(head) 0001 0004 000000 00  6004 05 06",  // the reserved symbol as a run
        "8F CD 0005 \(head) 0001 0008 000000 00  2002 05 06",  // fewer statuses than announced
        "8F CD 0005 \(head) 0001 0003 000000 00  2003 05 06",  // fewer deltas than arrivals
        "8F CD 0005 \(head) 0001 0000 000000 00  0000 0000",  // nothing
        "8F CD 0004 \(head) 0001 0001 000000 00",  // no chunk
        "8F CD 0005 \(head) 0001 FFFF 000000 00  0000 0000",  // empty runs only
    ]

    @Test(arguments: contradictions)
    func contradictionsAreMalformed(packet: String) {
        withExactBytes(bytes(packet)) { buffer in
            guard var compound = RTCPCompoundView(buffer), case .malformed(205)? = compound.next() else {
                Issue.record("not malformed")
                return
            }
        }
    }

    @Test func theReferenceTimeHasASign() {
        let packet = bytes("8F CD 0005 \(Self.head) 0001 0001 FFFFFE 00  2001 05 00")
        withExactBytes(packet) { buffer in
            guard var compound = RTCPCompoundView(buffer), case .transportFeedback(let view)? = compound.next() else {
                Issue.record("not read")
                return
            }
            #expect(view.referenceTime == -2)
            #expect(view.referenceTicks == -512)
        }
    }

    /// Writes arrivals (in 250 µs ticks) as feedback packets and reads all of them back.
    private func roundTrip(_ arrivals: [Int64?], base: UInt16, capacity: Int = 1_200) -> (
        packetCount: Int, read: [Int64?], sequenceNumbers: [UInt16]
    ) {
        var read: [Int64?] = []
        var numbers: [UInt16] = []
        var packetCount = 0
        while read.count < arrivals.count {
            let first = read.count
            var covered = 0
            let packet = written(capacity: capacity) { buffer in
                var writer = RTCPWriter(into: buffer)
                covered = writer.appendTransportFeedback(
                    sender: SSRC(1), media: SSRC(2), feedbackCount: UInt8(truncatingIfNeeded: packetCount),
                    baseSequence: SequenceNumber(base).advanced(by: first), statusCount: arrivals.count - first,
                    arrival: { index in
                        arrivals[first + index].map { MonotonicTime(nanoseconds: $0 * 250_000 + 249_999) }
                    })
                return writer.count
            }
            guard covered > 0 else { break }
            packetCount += 1
            withExactBytes(packet) { buffer in
                guard var compound = RTCPCompoundView(buffer), case .transportFeedback(let view)? = compound.next()
                else {
                    Issue.record("feedback that was written is refused")
                    return
                }
                #expect(view.statusCount == covered)
                for status in view {
                    read.append(status.arrivalTicks.map { $0 + view.referenceTicks })
                    numbers.append(status.sequenceNumber.rawValue)
                }
            }
            guard read.count == first + covered else { break }
        }
        return (packetCount, read, numbers)
    }

    @Test(arguments: [UInt16(0), 1, 32_760, 65_530, 65_535])
    func patternsOfEveryKindSurviveTheRoundTrip(base: UInt16) {
        let patterns: [[Int64?]] = [
            [0], [1_000], [nil, 5], [5, nil, nil], (0..<13).map { Int64($0) }, (0..<14).map { Int64($0) },
            (0..<15).map { $0 % 2 == 0 ? Int64($0) : nil }, (0..<7).map { Int64($0) * 300 },
            (0..<8).map { Int64($0) * 300 }, (0..<40).map { $0 % 3 == 0 ? Int64($0) * 500 : nil },
            (0..<9_000).map { $0 == 0 || $0 == 8_999 ? Int64($0) : nil }, [500, 100, 300, 299],
            (0..<30).map { $0 == 20 ? 40_000 : Int64(39_000 + $0) },
        ]
        for pattern in patterns {
            let result = roundTrip(pattern, base: base, capacity: 4_000)
            #expect(result.read == pattern)
            #expect(result.packetCount == 1)
            #expect(result.sequenceNumbers == pattern.indices.map { base &+ UInt16($0) })
        }
    }

    @Test func aGapOfMoreThanEightSecondsStartsAnotherPacket() {
        let result = roundTrip([0, 32_767, 65_535], base: 1)
        #expect(result.read == [0, 32_767, 65_535])
        #expect(result.packetCount == 2)
    }

    @Test func aFullBufferStartsAnotherPacket() {
        let arrivals = (0..<500).map { Int64($0) * 400 as Int64? }
        let result = roundTrip(arrivals, base: 65_400, capacity: 100)
        #expect(result.read == arrivals)
        #expect(result.packetCount > 10)
    }

    @Test func nothingArrivedMeansNothingIsWritten() {
        let result = roundTrip([nil, nil], base: 1)
        #expect(result.packetCount == 0)
    }

    @Test func randomArrivalsSurviveTheRoundTrip() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var time = Int64.random(in: 0...10_000_000, using: &generator)
            let lossPercent = Int.random(in: 0...90, using: &generator)
            let longest = [2, 200, 600].randomElement(using: &generator) ?? 2
            let arrivals = (0..<Int.random(in: 1...400, using: &generator)).map { _ -> Int64? in
                time += Int64(Int.random(in: -longest / 4...longest, using: &generator))
                return Int.random(in: 0..<100, using: &generator) < lossPercent ? nil : time
            }
            guard let last = arrivals.lastIndex(where: { $0 != nil }) else { continue }
            let kept = Array(arrivals[...last])
            let base = UInt16.random(in: 0...UInt16.max, using: &generator)
            let capacity = Int.random(in: 60...1_200, using: &generator)
            let result = roundTrip(kept, base: base, capacity: capacity)
            // A long loss may fill one packet with nothing but losses; then the run ends early, as documented.
            #expect(result.read == Array(kept.prefix(result.read.count)), "seed \(seed)")
            #expect(result.read.count == kept.count, "seed \(seed)")
        }
    }
}
