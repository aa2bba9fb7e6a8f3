import Devices
import Glibc
import MediaEngine
import MediaTypes
import Realtime
import Testing

extension RunningEngineTests {
    /// What is really heard, through a speaker that keeps it.
    @Suite struct SpeakerTests {
        static func readFile(_ path: String) -> [Int16] {
            let file = open(path, O_RDONLY)
            guard file >= 0 else { return [] }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 4 << 20)
            let count = read(file, &bytes, bytes.count)
            guard count > 44 else { return [] }
            return (0..<(count - 44) / 2).map { index in
                Int16(bitPattern: UInt16(bytes[44 + 2 * index]) | UInt16(bytes[45 + 2 * index]) << 8)
            }
        }

        static func peak(_ samples: ArraySlice<Int16>) -> Int { samples.map { abs(Int($0)) }.max() ?? 0 }

        @Test func tonesSoundWithoutAnyStreamAndWithAClosedMicrophoneAtTheirOwnVolume() async throws {
            let path = "/tmp/callbox-tones-\(getpid()).wav"
            defer { unlink(path) }
            var settings = MediaEngineSettings()
            settings.microphone = "tone:440"
            settings.speaker = DeviceSpecifier("file:\(path)")
            let engine = try MediaEngine(settings: settings, registry: DeviceRegistry())
            engine.setActive(microphone: false, camera: false)
            let playback = try #require(engine.playback)
            playback.setVolume(percent: 0)
            playback.setToneVolume(percent: 100)
            try engine.start()
            func wait(_ milliseconds: Int64) async {
                await TestThread.run { MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(milliseconds)) }
            }
            await wait(200)
            playback.setTone(.ringBack)
            await wait(500)
            #expect(playback.tone == .ringBack)
            playback.setToneVolume(percent: 50)
            await wait(300)
            playback.setTone(.none)
            await wait(200)
            #expect(playback.tone == .none)
            engine.stop()
            let samples = SpeakerTests.readFile(path)
            let start = try #require(samples.firstIndex { abs(Int($0)) > 100 })
            let loud = SpeakerTests.peak(samples[(start + 4_800)..<(start + 14_400)])
            let quiet = SpeakerTests.peak(samples[(start + 28_800)..<(start + 33_600)])
            let after = SpeakerTests.peak(samples[(samples.count - 2_400)...])
            print("tone peaks: \(loud) at 100 %, \(quiet) at 50 %, \(after) after")
            #expect((8_000...8_400).contains(loud))
            #expect((1_000...1_050).contains(quiet))
            #expect(after == 0)
        }

        @Test func streamsFollowTheVolumeAndAMuteAtTheFarEndIsSilenceWithin200Milliseconds() async throws {
            let path = "/tmp/callbox-volume-\(getpid()).wav"
            defer { unlink(path) }
            var settings = MediaEngineSettings()
            settings.microphone = "tone:440"
            settings.speaker = DeviceSpecifier("file:\(path)")
            let loop = try MediaEngineLoop(settings)
            let playback = try #require(loop.engine.playback)
            try await loop.run(seconds: 1)
            playback.setVolume(percent: 50)
            #expect(playback.volume == 50)
            try await loop.run(seconds: 1)
            playback.setVolume(percent: 100)
            try await loop.run(seconds: 1)
            // A busy machine may delay one of them.
            var mutes: [Int] = []
            for _ in 0..<3 {
                mutes.append(Int(playback.playedSeconds * 100))
                loop.engine.capture?.setMuted(true)
                try await loop.run(seconds: 1)
                loop.engine.capture?.setMuted(false)
                try await loop.run(seconds: 1)
            }
            loop.stop()
            let samples = SpeakerTests.readFile(path)
            // In periods of 10 ms.
            let peaks = (0..<samples.count / 480).map { SpeakerTests.peak(samples[$0 * 480..<($0 + 1) * 480]) }
            // How long it sounded into each of the muted seconds.
            let tails = mutes.map { mute in (peaks[mute..<mute + 90].lastIndex { $0 > 0 } ?? mute - 1) + 1 - mute }
            let loud = peaks[60..<90].max() ?? 0
            let quiet = peaks[150..<190].max() ?? 0
            print("peaks \(loud) and \(quiet); silent \(tails.map { $0 * 10 }) ms after the mutes")
            #expect((7_000...9_500).contains(loud))
            #expect((800...1_250).contains(quiet))
            // Capture, frame, jitter buffer and the speaker's queue together.
            #expect(tails.min() ?? 99 <= 20)
            #expect(tails.allSatisfy { $0 < 90 })
        }

        @Test func aMicrophoneThatOpensAgainIsHeardAtOnceAndBetweenThereIsSilence() async throws {
            let path = "/tmp/callbox-pause-\(getpid()).wav"
            defer { unlink(path) }
            var settings = MediaEngineSettings()
            settings.microphone = "tone:440"
            settings.speaker = DeviceSpecifier("file:\(path)")
            let loop = try MediaEngineLoop(settings)
            let playback = try #require(loop.engine.playback)
            try await loop.run(seconds: 1)
            loop.engine.capture?.setOpen(false)
            let closed = Int(playback.playedSeconds * 100)
            try await loop.run(seconds: 2)
            loop.engine.capture?.setOpen(true)
            let opened = Int(playback.playedSeconds * 100)
            try await loop.run(seconds: 1)
            let statistics = loop.audio.statistics
            loop.stop()
            let samples = SpeakerTests.readFile(path)
            let peaks = (0..<samples.count / 480).map { SpeakerTests.peak(samples[$0 * 480..<($0 + 1) * 480]) }
            let silent = try #require(peaks[closed..<opened].lastIndex { $0 > 300 }) + 1 - closed
            let heard = try #require(peaks[opened...].firstIndex { $0 > 6_000 }) - opened
            print("silent \(silent * 10) ms after closing, heard \(heard * 10) ms after opening; \(statistics)")
            #expect(silent < 40)
            #expect(heard < 30)
            #expect(peaks[(opened + heard + 5)..<(opened + 90)].allSatisfy { $0 > 6_000 })
        }
    }
}
