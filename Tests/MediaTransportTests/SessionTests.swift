import MediaTypes
import RTPWire
import Testing

@testable import MediaTransport

/// What sessions do with the accidents of a call, seen through a simulated one.
@Suite struct SessionTests {
    private static var shakyNetwork: NetworkProfile {
        var profile = NetworkProfile()
        profile.loss = 0.05
        profile.jitter = .milliseconds(30)
        profile.duplication = 0.02
        return profile
    }

    @Test(arguments: wrapAroundStarts) func mediaFlowsAcrossEveryWrapAround(start: UInt16) {
        print("seed \(start)")
        // The wrap, if any, comes with loss and reordering around it, and so does that of the timestamps.
        let numbers = StreamStart(
            sequence: start &- 60, rtxSequence: start &- 3, timestampOffset: UInt32.max - 150_000,
            pictureID: 0x7FFF - 60)
        let call = VirtualCall(
            seed: UInt64(start), toB: Self.shakyNetwork, toA: Self.shakyNetwork, start: numbers)
        call.run(for: .seconds(8 as Int64))
        #expect(call.b.brokenChains == 0 && call.b.damagedPayloads == 0)
        #expect(call.b.frames.count > 200)
        #expect(TwoPeerTests.concealed(call.b) < 0.02)
        #expect(call.b.playedAudio == call.b.playedAudio.sorted())
        let timestamps = call.b.frames.map(\.timestamp)
        #expect(timestamps == timestamps.sorted())
    }

    @Test func aBurstThatTakesAWholeSecondIsSurvived() {
        print("seed 31")
        let call = VirtualCall(seed: 31)
        call.run(for: .seconds(3 as Int64))
        call.toB.profile.loss = 1
        call.run(for: .seconds(1 as Int64))
        call.toB.profile.loss = 0
        let before = call.b.frames.count
        call.run(for: .seconds(3 as Int64))
        #expect(call.b.frames.count - before > 60)
        #expect(call.b.brokenChains == 0)
        #expect(call.b.longestStall < .milliseconds(1_800))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func burstsAndDuplicatesDoNotBreakTheChain(seed: UInt64) {
        print("seed \(seed)")
        var profile = NetworkProfile()
        profile.burstBegin = 0.01
        profile.burstEnd = 0.2
        profile.duplication = 0.2
        profile.jitter = .milliseconds(20)
        let call = VirtualCall(seed: seed, toB: profile, toA: profile)
        call.run(for: .seconds(15 as Int64))
        #expect(call.b.brokenChains == 0 && call.b.damagedPayloads == 0)
        #expect(call.b.frames.count > 400)
        #expect(call.b.longestStall < .milliseconds(1_000))
        #expect(call.b.session.statistics.dropped(.duplicate) > 0)
    }

    @Test func aNarrowLinkBringsTheRateDown() {
        print("seed 41")
        var profile = NetworkProfile()
        profile.rate = .kilobitsPerSecond(500)
        let call = VirtualCall(seed: 41, toB: profile, startRate: .kilobitsPerSecond(1_500))
        call.run(for: .seconds(30 as Int64))
        let rate = call.a.session.statistics.bitrateAllowed.kilobitsPerSecond
        #expect((250...650).contains(rate))
        #expect(call.b.brokenChains == 0)
        #expect(
            call.a.session.statistics.bitrateAcknowledged.map { (200...520).contains($0.kilobitsPerSecond) } ?? false)
    }

    @Test func theRateRisesAgainOnAGoodNetworkUpToItsLimit() {
        print("seed 42")
        let call = VirtualCall(seed: 42, startRate: .kilobitsPerSecond(300))
        call.a.session.limitBitrate(minimum: .kilobitsPerSecond(100), maximum: .kilobitsPerSecond(700))
        call.run(for: .seconds(30 as Int64))
        #expect(call.a.session.statistics.bitrateAllowed == .kilobitsPerSecond(700))
        #expect(call.a.rates.last?.0 == .kilobitsPerSecond(700))
    }

    @Test func withoutTransportFeedbackREMBAndReportsDecide() {
        print("seed 43")
        var options = LineOptions()
        options.usesTransportCC = false
        options.usesREMB = true
        var profile = NetworkProfile()
        profile.loss = 0.25
        let call = VirtualCall(seed: 43, toB: profile, options: options)
        call.run(for: .seconds(10 as Int64))
        #expect(call.a.session.statistics.bitrateAllowed < .kilobitsPerSecond(600))
        #expect(call.a.session.statistics.bitrateAcknowledged == nil)
        #expect(call.a.session.statistics.line(1).map { $0.sent.fractionLost > 0.1 } ?? false)
    }

    @Test func audioIsAskedForAgainWhenNegotiated() {
        print("seed 44")
        var options = LineOptions()
        options.audioNACK = true
        var profile = NetworkProfile()
        profile.loss = 0.1
        profile.delay = .milliseconds(5)
        let call = VirtualCall(seed: 44, toB: profile, options: options)
        call.a.audioHasFEC = false
        call.run(for: .seconds(20 as Int64))
        let received = call.b.session.statistics.lines[0].received
        #expect(received.recoveredPackets > 50)
        #expect(received.lost < 30)
    }

    @Test func aMutedPeerComesBackAfterMinutes() {
        print("seed 45")
        let call = VirtualCall(seed: 45, toB: Self.shakyNetwork, toA: Self.shakyNetwork)
        call.run(for: .seconds(4 as Int64))
        call.a.sendsAudio = false
        call.a.sendsVideo = false
        let frames = call.b.frames.count
        call.run(for: .seconds(200 as Int64))
        #expect(call.b.frames.count - frames < 5)
        let requests = call.b.session.statistics.lines[1].received.keyFrameRequestsSent
        #expect(requests < 5)
        // The clock of its microphone went on all the time.
        call.a.skipAudio(packets: 10_000)
        call.a.sendsAudio = true
        call.a.sendsVideo = true
        let played = call.b.playedAudio.count
        let stalled = call.b.frames.count
        call.run(for: .seconds(3 as Int64))
        #expect(call.b.playedAudio.count - played > 120)
        #expect(call.b.frames.count - stalled > 60)
        #expect(call.b.brokenChains == 0)
    }

    @Test func aPeerMayChangeItsSourcesInTheMiddle() {
        print("seed 46")
        let call = VirtualCall(seed: 46, toB: Self.shakyNetwork, toA: Self.shakyNetwork)
        call.run(for: .seconds(4 as Int64))
        var lines = LineOptions().lines(ssrcBase: 1_000)
        for index in lines.indices { lines[index].localSSRC = SSRC(7_000 + UInt32(index)) }
        call.a.reconfigure(lines, at: call.now)
        let frames = call.b.frames.count
        let played = call.b.playedAudio.count
        call.run(for: .seconds(4 as Int64))
        let statistics = call.b.session.statistics
        #expect(statistics.lines.allSatisfy { $0.received.sourceChanges == 1 })
        #expect(statistics.lines[0].received.ssrc == SSRC(7_000))
        #expect(call.b.frames.count - frames > 90)
        #expect(call.b.playedAudio.count - played > 170)
        let timestamps = call.b.frames.map(\.timestamp)
        #expect(timestamps == timestamps.sorted())
        #expect(call.b.brokenChains == 0)
    }

    @Test func sendersReceiversAndAbsentLinesCanBeSwitched() {
        print("seed 47")
        let call = VirtualCall(seed: 47)
        call.run(for: .seconds(2 as Int64))
        var lines = LineOptions().lines(ssrcBase: 2_000)
        lines[1].receives = false
        call.b.reconfigure(lines, at: call.now)
        let frames = call.b.frames.count
        call.run(for: .seconds(2 as Int64))
        #expect(call.b.frames.count == frames)
        #expect(call.b.session.statistics.dropped(.lineNotReceiving) > 50)
        lines[1].receives = true
        call.b.reconfigure(lines, at: call.now)
        call.run(for: .seconds(3 as Int64))
        #expect(call.b.frames.count > frames + 60)
        #expect(call.b.brokenChains == 0)
        call.b.reconfigure([lines[0]], at: call.now)
        call.run(for: .seconds(1 as Int64))
        #expect(call.b.session.statistics.dropped(.unknownStream) > 20)
    }

    @Test func byeIsReportedOnceForAll() {
        print("seed 48")
        let call = VirtualCall(seed: 48)
        call.run(for: .seconds(2 as Int64))
        call.a.session.close(at: call.now)
        call.run(for: .seconds(1 as Int64))
        #expect(call.b.remoteLeftCount == 1)
        #expect(call.a.session.nextDeadline == .distantFuture)
        let sent = call.a.sentRTPCount
        call.run(for: .seconds(1 as Int64))
        #expect(call.a.sentRTPCount == sent)
    }

    @Test func theDecoderGetsAKeyFrameWhenItAsks() {
        print("seed 49")
        let call = VirtualCall(seed: 49)
        call.run(for: .seconds(2 as Int64))
        let keyFrames = call.b.frames.filter(\.isKeyFrame).count
        call.b.session.requestKeyFrame(line: 1, at: call.now)
        call.b.session.requestKeyFrame(line: 1, at: call.now)
        call.run(for: .seconds(2 as Int64))
        #expect(call.b.frames.filter(\.isKeyFrame).count == keyFrames + 1)
        #expect(call.b.session.statistics.lines[1].received.keyFrameRequestsSent == 1)
    }

    @Test func aPeerThatKnowsOnlyFIRIsAskedByFIR() {
        print("seed 50")
        var options = LineOptions()
        options.usesFIROnly = true
        let call = VirtualCall(seed: 50, options: options)
        call.run(for: .seconds(2 as Int64))
        call.b.session.requestKeyFrame(line: 1, at: call.now)
        call.run(for: .seconds(1 as Int64))
        call.b.session.requestKeyFrame(line: 1, at: call.now)
        call.run(for: .seconds(1 as Int64))
        #expect(call.b.frames.filter(\.isKeyFrame).count == 3)
    }

    @Test func aFrameOfTheLargestSizeArrivesWhole() {
        print("seed 51")
        let call = VirtualCall(seed: 51, startRate: .kilobitsPerSecond(2_500))
        call.a.keyFrameBytes = 400_000
        call.run(for: .seconds(4 as Int64))
        #expect(call.b.frames.first?.isKeyFrame ?? false)
        #expect(call.b.brokenChains == 0 && call.b.damagedPayloads == 0)
        // One that the history has no room for is refused, and a smaller key frame is asked for.
        call.a.keyFrameBytes = 600_000
        call.b.session.requestKeyFrame(line: 1, at: call.now)
        call.run(for: .milliseconds(200))
        #expect(call.a.session.statistics.dropped(.frameTooLarge) >= 1)
        call.a.keyFrameBytes = 20_000
        let frames = call.b.frames.count
        call.run(for: .seconds(2 as Int64))
        #expect(call.b.frames.count > frames + 30)
        #expect(call.b.brokenChains == 0)
    }

    @Test func lipSyncTimesOfBothStreamsAgree() {
        print("seed 52")
        let call = VirtualCall(seed: 52)
        call.run(for: .seconds(5 as Int64))
        guard let audio = call.b.lastAudioSenderTime, let video = call.b.lastVideoSenderTime else {
            Issue.record("no sender reports")
            return
        }
        #expect(abs(audio - video) < 60_000_000)
    }
}
