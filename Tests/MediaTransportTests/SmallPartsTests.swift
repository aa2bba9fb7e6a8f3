import MediaTypes
import Testing

@testable import MediaTransport

@Suite struct SmallPartsTests {
    private func milliseconds(_ count: Int64) -> MonotonicTime { .zero + .milliseconds(count) }

    @Test(arguments: [1, 7, 1_100, 1_101, 2_200, 99_999]) func piecesOfAFrameAreEvenAndWhole(byteCount: Int) {
        let pieces = VP8Packetizer(frameByteCount: byteCount, limit: 1_100)
        var end = 0
        for index in 0..<pieces.packetCount {
            let range = pieces.range(index)
            check(range.lowerBound == end && range.count <= 1_100 && !range.isEmpty)
            check(range.count >= byteCount / pieces.packetCount)
            end = range.upperBound
        }
        check(end == byteCount)
    }

    @Test func aRateIsThatOfTheLastSecond() {
        var meter = RateMeter()
        for step: Int64 in 0..<300 { meter.add(byteCount: 125, at: milliseconds(step * 10)) }
        check((95...105).contains(meter.rate(at: milliseconds(3_000)).kilobitsPerSecond))
        check(meter.rate(at: milliseconds(3_500)).kilobitsPerSecond < 60)
        check(meter.rate(at: milliseconds(9_000)).bitsPerSecond == 0)
    }

    @Test func keyFrameRequestsOfTheFarSideAreThinnedOut() {
        var limiter = KeyFrameRequestLimiter()
        var reports: [Int64] = []
        for time: Int64 in 0..<2_000 {
            limiter.noteRequest()
            if limiter.takeDue(at: milliseconds(time)) { reports.append(time) }
        }
        check(reports == [0, 500, 1_000, 1_500])
    }

    @Test func aKeyFrameAnswersTheRequestsBeforeIt() {
        var limiter = KeyFrameRequestLimiter()
        limiter.noteRequest()
        check(limiter.takeDue(at: .zero))
        limiter.noteRequest()
        limiter.noteKeyFrame()
        check(limiter.nextDeadline == .distantFuture)
        check(!limiter.takeDue(at: milliseconds(600)))
    }

    @Test func aRepeatedFullIntraRequestIsOneRequest() {
        var limiter = KeyFrameRequestLimiter()
        limiter.noteCommand(4)
        check(limiter.takeDue(at: .zero))
        limiter.noteCommand(4)
        check(!limiter.takeDue(at: milliseconds(900)))
        limiter.noteCommand(5)
        check(limiter.takeDue(at: milliseconds(900)))
    }

    @Test func aKeyFrameIsAskedForAgainMoreAndMoreSlowly() {
        var requester = KeyFrameRequester()
        check(requester.nextDeadline(roundTrip: .zero) == .distantFuture)
        requester.want()
        var times: [Int64] = []
        for time: Int64 in 0..<8_000 where requester.nextDeadline(roundTrip: .zero) <= milliseconds(time) {
            requester.noteSent(at: milliseconds(time))
            times.append(time)
        }
        check(times == [0, 300, 900, 1_800, 3_000, 4_500, 6_300])
        requester.settle()
        check(requester.nextDeadline(roundTrip: .zero) == .distantFuture)
    }

    @Test func aPausedPacerLetsOnlyABurstThrough() {
        var pacer = Pacer()
        var sent = 0
        let start = MonotonicTime.zero + .seconds(10 as Int64)
        while pacer.maySend(at: start) {
            pacer.noteSent(byteCount: 1_200, queuedBytes: 0, allowed: .kilobitsPerSecond(1_000), at: start)
            sent += 1
        }
        // 5 ms at 2.5 Mbit/s are 1.3 packets.
        check(sent == 2)
        let wait = pacer.nextSend - start
        check(wait > .milliseconds(1) && wait < .milliseconds(6))
    }

    @Test func aLongQueueIsDrainedInTime() {
        var pacer = Pacer()
        var queued = 200_000
        var time = MonotonicTime.zero + .seconds(1 as Int64)
        let start = time
        while queued > 0 {
            time = max(time, pacer.nextSend)
            queued -= 1_000
            pacer.noteSent(byteCount: 1_000, queuedBytes: queued, allowed: .kilobitsPerSecond(100), at: time)
        }
        check(time - start < .seconds(2 as Int64))
    }

    @Test func learnedSourcesAreBounded() {
        var table = SourceTable()
        for number: UInt32 in 0..<10_000 { table.learn(SSRC(number), line: 0) }
        check(table.count == SourceTable.learnedLimit)
        check(table.line(of: SSRC(9_999)) == 0)
        check(table.line(of: SSRC(1)) == nil)
    }

    @Test func theOutputQueueKeepsOrderAndContentAndItsLimit() {
        var queue = OutputQueue()
        var random = SeededRandom(seed: 8)
        print("seed 8")
        var written: Int64 = 0
        var read: Int64 = 0
        for _ in 0..<20_000 {
            if random.next() % 2 == 0 {
                var record = OutputQueue.Record(kind: .audio)
                record.sequence = written
                let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: written), count: Int(random.next() % 1_200))
                if bytes.withUnsafeBytes({ queue.append(record, $0) }) { written += 1 }
            } else if let record = queue.removeFirst() {
                check(record.sequence == read)
                check(queue.payload(record).allSatisfy { $0 == UInt8(truncatingIfNeeded: read) })
                read += 1
            }
        }
        while queue.append(OutputQueue.Record(kind: .remoteLeft)) {}
        check(queue.count == OutputQueue.recordLimit)
    }
}
