import Glibc
import MediaTypes
import Realtime
import Testing

@testable import Devices

/// The ALSA devices on real libasound; where a clock matters, on JACK's dummy driver. One at a time, as they share one
/// ALSA configuration and one JACK server.
@Suite(.serialized) struct ALSATests {
    init() { TestSoundSystem.configure() }

    @Test func whatIsPlayedReachesThePCMBitByBit() throws {
        let device = try ALSASpeaker(specifier: "callbox-file-out")
        #expect(device.settings.sampleRateHz == 48_000 && device.settings.channelCount == 1)
        #expect(device.settings.format == .int16)
        let samples = (1...480 * 20).map { Int16(truncatingIfNeeded: $0 * 7) }
        try AudioSamples.write(samples, to: device)
        device.close()
        let bytes = TestSoundSystem.folder.read("out.raw")
        let heard = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        // The queue begins with 10 ms of silence.
        #expect(heard == [Int16](repeating: 0, count: 480) + samples)
    }

    @Test func whatThePCMGivesIsReadBitByBit() throws {
        let samples = (0..<480 * 30).map { Int16(truncatingIfNeeded: $0 * 13) }
        _ = TestSoundSystem.folder.write(samples.flatMap { WAVBuilder.word(Int($0), 2) }, as: "in.raw")
        let device = try ALSAMicrophone(specifier: "callbox-file-in")
        #expect(try AudioSamples.read(device, periods: 20) == Array(samples[..<(480 * 20)]))
        device.close()
    }

    @Test(arguments: [(48_000, 480, 1), (48_000, 1_024, 2), (44_100, 441, 2), (44_100, 256, 1)])
    func aLoopThroughADeviceWithItsOwnClockKeepsTheTone(rate: Int, period: Int, channels: Int) throws {
        let server = JackServer(sampleRateHz: rate, periodFrames: period, channelCount: channels)
        defer { server.stop(SIGTERM) }
        let speaker = try ALSASpeaker(specifier: "callbox-out")
        #expect(speaker.settings.sampleRateHz == rate && speaker.settings.channelCount == channels)
        #expect(speaker.settings.format == .float32 && speaker.settings.periodFrames % period == 0)
        try loop(speaker, "callbox-in", rate: rate)
    }

    @Test func aPluggedDeviceIsNotResampledByALSA() throws {
        let server = JackServer(sampleRateHz: 44_100, periodFrames: 512, channelCount: 2)
        defer { server.stop(SIGTERM) }
        let speaker = try ALSASpeaker(specifier: "callbox-plugged-out")
        #expect(speaker.settings.sampleRateHz == 44_100)
        #expect(speaker.settings.format == .int16 && speaker.settings.channelCount == 1)
        try loop(speaker, "callbox-plugged-in", rate: 44_100)
    }

    /// Plays a tone for two seconds, hears it at the other side, and looks at the times.
    private func loop(_ speaker: ALSASpeaker, _ microphoneName: DeviceSpecifier, rate: Int) throws {
        let tone = AudioSamples.sine(1_000, frames: 480 * 200)
        // Prepared devices exist for JACK, so the capture can be linked.
        try AudioSamples.write(Array(tone[..<480]), to: speaker)
        let microphone = try ALSAMicrophone(specifier: microphoneName)
        defer { microphone.close() }
        defer { speaker.close() }
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        let start = MonotonicClock.now()
        var heard: [Int16] = []
        var times: [MonotonicTime] = []
        var delays: [Int] = []
        for number in 1..<200 {
            try AudioSamples.write(Array(tone[number * 480..<number * 480 + 480]), to: speaker)
            delays.append(speaker.delayFrames)
            times.append(try microphone.read(into: period))
            heard += period
        }
        let seconds = (MonotonicClock.now() - start).seconds
        #expect((1.8...20).contains(seconds), "\(seconds) s")
        // A loaded machine makes gaps; most of the tenths of a second have none.
        let second = Array(heard.suffix(48_000))
        let shares = stride(from: 0, to: 48_000, by: 4_800).map { start in
            AudioSamples.share(of: 1_000, in: Array(second[start..<start + 4_800]))
        }
        #expect(shares.sorted()[4] > 0.9, "\(shares)")
        #expect((second.map { abs(Int($0)) }.max() ?? 0) > 8_000)
        // The capture times advance with the periods, and are in the past.
        #expect(times.last.map { MonotonicClock.now() - $0 > .zero } == true)
        if microphone.interruptionCount == 0, let first = times.first, let last = times.last {
            let difference = (last - first).seconds - 1.98
            // The server itself may lose time, never win it.
            #expect((-0.1...10).contains(difference), "\(difference) s")
        }
        let median = delays.sorted()[delays.count / 2]
        let longest = (speaker.targetFrames + 2 * speaker.settings.periodFrames) * 48_000 / rate + 960
        #expect((1...longest).contains(median), "a delay of \(median) frames")
    }

    @Test func aDeviceThatStopsIsToldInTimeAndOpensAgainLater() throws {
        let server = JackServer(sampleRateHz: 48_000)
        let speaker = try ALSASpeaker(specifier: "callbox-out")
        try AudioSamples.write([Int16](repeating: 0, count: 4_800), to: speaker)
        let microphone = try ALSAMicrophone(specifier: "callbox-in")
        _ = try AudioSamples.read(microphone, periods: 10)
        server.stop(SIGKILL)
        for device in ["speaker", "microphone"] {
            let start = MonotonicClock.now()
            #expect(throws: DeviceError.self, "\(device)") {
                // A second of data is more than any buffer holds.
                if device == "speaker" {
                    try AudioSamples.write([Int16](repeating: 0, count: 48_000), to: speaker)
                } else {
                    _ = try AudioSamples.read(microphone, periods: 100)
                }
            }
            #expect(MonotonicClock.now() - start < .seconds(Int64(10)), "\(device)")
        }
        microphone.close()
        speaker.close()
        #expect(throws: DeviceError.self) { try ALSASpeaker(specifier: "callbox-out") }

        let next = JackServer(sampleRateHz: 48_000)
        defer { next.stop(SIGTERM) }
        let again = try ALSASpeaker(specifier: "callbox-out")
        try AudioSamples.write([Int16](repeating: 0, count: 4_800), to: again)
        again.close()
    }

    @Test func aReaderOrWriterThatWasAwayGoesOn() throws {
        let server = JackServer(sampleRateHz: 48_000)
        defer { server.stop(SIGTERM) }
        let speaker = try ALSASpeaker(specifier: "callbox-out")
        defer { speaker.close() }
        try AudioSamples.write([Int16](repeating: 0, count: 4_800), to: speaker)
        let microphone = try ALSAMicrophone(specifier: "callbox-in")
        defer { microphone.close() }
        _ = try AudioSamples.read(microphone, periods: 5)
        MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(400))
        try AudioSamples.write([Int16](repeating: 0, count: 4_800), to: speaker)
        _ = try AudioSamples.read(microphone, periods: 10)
        #expect(speaker.interruptionCount > 0)
        #expect(microphone.interruptionCount > 0)
        // Nor does hardware that stands still for a moment end anything.
        server.pause(.milliseconds(50))
        try AudioSamples.write([Int16](repeating: 0, count: 9_600), to: speaker)
        _ = try AudioSamples.read(microphone, periods: 10)
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func aPeriodAllocatesNothing() throws {
        let server = JackServer(sampleRateHz: 44_100, periodFrames: 441, channelCount: 2)
        defer { server.stop(SIGTERM) }
        let speaker = try ALSASpeaker(specifier: "callbox-out")
        defer { speaker.close() }
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        period.initialize(repeating: 0)
        try speaker.write(UnsafeBufferPointer(period))
        let microphone = try ALSAMicrophone(specifier: "callbox-in")
        defer { microphone.close() }
        func turn() throws(DeviceError) {
            for _ in 0..<20 {
                try speaker.write(UnsafeBufferPointer(period))
                _ = speaker.delayFrames
                _ = try microphone.read(into: period)
            }
        }
        try turn()
        #expect(try AllocationCounter.count(in: turn) == 0)
    }

    @Test func devicesThatAreNotThereAreTold() {
        for name in ["hw:NoSuchCard", "card:NoSuchCard", "NoSuchCard", "hw:CARD=NoSuchCard,DEV=3"] {
            #expect(throws: DeviceError.missing(name: name)) { try ALSAMicrophone(specifier: DeviceSpecifier(name)) }
            #expect(throws: DeviceError.missing(name: name)) { try ALSASpeaker(specifier: DeviceSpecifier(name)) }
        }
    }
}
