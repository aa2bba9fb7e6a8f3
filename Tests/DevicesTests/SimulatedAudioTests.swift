import Glibc
import MediaTypes
import Realtime
import Testing

@testable import Devices

@Suite struct SimulatedAudioTests {
    let registry = DeviceRegistry(drivers: DeviceDriver.simulated)

    @Test func aToneHasItsFrequencyAndLevel() throws {
        let device = try registry.openMicrophone("tone:440,-6")
        let samples = try AudioSamples.read(device, periods: 20)
        #expect(AudioSamples.share(of: 440, in: samples) > 0.99)
        let peak = samples.map { abs(Int($0)) }.max() ?? 0
        #expect((16_400...16_430).contains(peak))
    }

    @Test(arguments: ["tone", "tone:", "tone:x", "tone:0", "tone:440,3", "tone:440,-10,1"])
    func aWrongToneIsRefused(specifier: String) {
        #expect(throws: DeviceError.self) { try registry.openMicrophone(DeviceSpecifier(specifier)) }
    }

    @Test func periodsOfAMicrophoneBeginTenMillisecondsApart() throws {
        let device = try registry.openMicrophone("tone:100")
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        let first = try device.read(into: period)
        var last = first
        for _ in 0..<30 { last = try device.read(into: period) }
        #expect((last - first).nanoseconds % 10_000_000 == 0 && last - first >= .milliseconds(300))
        // What was captured has passed.
        #expect(MonotonicClock.now() >= last + .milliseconds(10))
    }

    @Test func aMonoFileOf48kHzIsPlayedBitExactlyInALoop() throws {
        let folder = TemporaryFolder()
        let samples = (0..<1_234).map { Int16($0 - 600) }
        let path = folder.write(WAVBuilder.file(samples), as: "a.wav")
        let device = try registry.openMicrophone(DeviceSpecifier("file:\(path)"))
        let heard = try AudioSamples.read(device, periods: 8)
        #expect(heard == (0..<8 * 480).map { samples[$0 % samples.count] })
    }

    @Test(arguments: [(44_100, 2), (8_000, 1), (16_000, 6), (96_000, 2)])
    func otherFilesAreMixedAndResampled(rate: Int, channels: Int) throws {
        let folder = TemporaryFolder()
        // 500 Hz fits the loop, so that it has no seam.
        let samples = AudioSamples.sine(500, frames: rate / 10, rate: rate, channels: channels)
        let path = folder.write(WAVBuilder.file(samples, channels: channels, rate: rate), as: "a.wav")
        let device = try registry.openMicrophone(DeviceSpecifier("file:\(path)"))
        let heard = Array(try AudioSamples.read(device, periods: 30).dropFirst(2_400))
        #expect(AudioSamples.share(of: 500, in: heard) > 0.99)
        let peak = heard.map { abs(Int($0)) }.max() ?? 0
        #expect((11_500...12_500).contains(peak))
    }

    @Test func aWrongFileIsToldByPathAndReason() {
        let folder = TemporaryFolder()
        let path = folder.write([1, 2, 3], as: "a.wav")
        #expect(throws: DeviceError.invalidFile(path: path, reason: "is not a WAV file")) {
            try registry.openMicrophone(DeviceSpecifier("file:\(path)"))
        }
        #expect(throws: DeviceError.invalidFile(path: "/none", reason: "cannot be opened: No such file or directory")) {
            try registry.openMicrophone("file:/none")
        }
        #expect(throws: DeviceError.invalidFile(path: "/tmp", reason: "is not a regular file")) {
            try registry.openMicrophone("file:/tmp")
        }
        #expect(throws: DeviceError.self) { try registry.openSpeaker("file:/none/a.wav") }
    }

    @Test func aFileSpeakerKeepsWhatIsPlayedAndIsValidAtAnyMoment() throws {
        let samples = AudioSamples.sine(300, frames: 480 * 30)
        for attempt in 1...5 {
            let folder = TemporaryFolder()
            let device = try registry.openSpeaker(DeviceSpecifier("file:\(folder.path)/out.wav"))
            let start = MonotonicClock.now()
            try AudioSamples.write(samples, to: device)
            // The last two periods are still queued when the last write returns.
            #expect(MonotonicClock.now() - start >= .milliseconds(280))
            #expect((0...960).contains(device.delayFrames))
            // Without `close` the header is not up to date, but is one.
            #expect(Array(folder.read("out.wav").prefix(4)) == Array("RIFF".utf8))
            device.close()
            // On a very busy machine the writer may have been away for long, which rightly leaves silence.
            if device.interruptionCount > 0 && attempt < 5 { continue }
            #expect(try AudioSamples.ofWAV(folder.read("out.wav")) == samples)
            break
        }
    }

    @Test func theHeaderOfAFileSpeakerFollowsEachSecond() throws {
        let folder = TemporaryFolder()
        var file = try WAVOutputFile(path: "\(folder.path)/out.wav")
        try file.updateHeader()
        let second = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 48_000)
        defer { second.deallocate() }
        second.initialize(repeating: 5)
        try file.append(UnsafeBufferPointer(second))
        #expect(try WAVHeaderTests.parse(folder.read("out.wav")).frameCount == 48_000)
        file.appendSilence(frames: 100)
        try file.append(UnsafeBufferPointer(second))
        let heard = try AudioSamples.ofWAV(folder.read("out.wav"))
        #expect(heard.count == 96_100 && heard[48_099] == 0 && heard[48_100] == 5)
    }

    @Test func aWriterThatWasAwayLeavesSilenceOfThatLength() throws {
        let folder = TemporaryFolder()
        let device = try registry.openSpeaker(DeviceSpecifier("file:\(folder.path)/out.wav"))
        let samples = [Int16](repeating: 9, count: 4_800)
        let start = MonotonicClock.now()
        try AudioSamples.write(samples, to: device)
        MonotonicClock.sleep(until: start + .milliseconds(600))
        try AudioSamples.write(samples, to: device)
        let end = MonotonicClock.now()
        device.close()
        #expect(device.interruptionCount >= 1)
        let heard = try AudioSamples.ofWAV(folder.read("out.wav"))
        // The file is as long as the time that passed, but for the queue of two periods.
        let difference = heard.count - Int((end - start).nanoseconds * 48 / 1_000_000)
        #expect((-9_600...1_440).contains(difference), "\(difference) frames too many")
        #expect(heard.reduce(0) { $0 + ($1 == 9 ? 1 : 0) } == 9_600)
    }

    @Test func theDiscardingSpeakerKeepsTime() throws {
        let device = try registry.openSpeaker("discard")
        let start = MonotonicClock.now()
        try AudioSamples.write([Int16](repeating: 0, count: 480 * 22), to: device)
        #expect(MonotonicClock.now() - start >= .milliseconds(200))
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func aPeriodAllocatesNothing() throws {
        let folder = TemporaryFolder()
        let samples = AudioSamples.sine(500, frames: 4_410, rate: 44_100, channels: 2)
        let path = folder.write(WAVBuilder.file(samples, channels: 2, rate: 44_100), as: "a.wav")
        let microphones = [
            try registry.openMicrophone("tone:440"), try registry.openMicrophone(DeviceSpecifier("file:\(path)")),
        ]
        let speakers = [
            try registry.openSpeaker("discard"), try registry.openSpeaker(DeviceSpecifier("file:\(folder.path)/o.wav")),
        ]
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        period.initialize(repeating: 0)
        for microphone in microphones {
            func turn() throws(DeviceError) { for _ in 0..<10 { _ = try microphone.read(into: period) } }
            try turn()
            #expect(try AllocationCounter.count(in: turn) == 0, "\(microphone.name)")
        }
        for speaker in speakers {
            func turn() throws(DeviceError) { for _ in 0..<10 { try speaker.write(UnsafeBufferPointer(period)) } }
            try turn()
            #expect(try AllocationCounter.count(in: turn) == 0, "\(speaker.name)")
        }
    }
}
