import Devices
import Glibc
import MediaEngine
import MediaTypes
import Realtime
import Testing

extension RunningEngineTests {
    @Suite struct MicrophoneTests {
        static func settings(_ microphone: DeviceSpecifier = "tone:440") -> MediaEngineSettings {
            var settings = MediaEngineSettings()
            settings.microphone = microphone
            return settings
        }

        /// A WAV file with a second of a square wave, for a microphone that has a descriptor.
        static func makeFile() -> String {
            let path = "/tmp/callbox-microphone-\(getpid()).wav"
            var bytes: [UInt8] = []
            func append(_ value: UInt32, _ count: Int) {
                for i in 0..<count { bytes.append(UInt8(value >> (8 * i) & 0xFF)) }
            }
            bytes += Array("RIFF".utf8)
            append(36 + 96_000, 4)
            bytes += Array("WAVEfmt ".utf8)
            append(16, 4)
            append(1, 2)
            append(1, 2)
            append(48_000, 4)
            append(96_000, 4)
            append(2, 2)
            append(16, 2)
            bytes += Array("data".utf8)
            append(96_000, 4)
            for index in 0..<48_000 { append(index / 60 % 2 == 0 ? 8_000 : 0xFFFF - 8_000, 2) }
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            close(file)
            return path
        }

        @Test func aMutedMicrophoneSendsExactSilenceAndNoneOfItsSamples() async throws {
            let tap = try MediaTap(MicrophoneTests.settings()) { $0.capture?.setMuted(true) }
            await tap.run(milliseconds: 1_000)
            tap.engine.stop()
            let counts = tap.audio.map(\.samples.count)
            #expect(tap.audio.count > 30)
            #expect(counts.allSatisfy { $0 == 960 })
            #expect(tap.audio.allSatisfy { $0.isSilent })
            #expect(tap.audio.allSatisfy { $0.levelDBov == 127 })
            #expect(tap.engine.capture?.microphoneSamplesSent == 0)
        }

        @Test func aMuteInTheMiddleOfSpeechIsSilenceAtOnceAndKeepsTheStreamGoing() async throws {
            let tap = try MediaTap(MicrophoneTests.settings())
            defer { tap.engine.stop() }
            await tap.run(milliseconds: 600)
            let capture = try #require(tap.engine.capture)
            #expect(capture.microphoneSamplesSent > 10_000)
            #expect(tap.audio.last?.isSilent == false)
            capture.setMuted(true)
            let muteTime = MonotonicClock.now()
            // The packet that is being made now may still count.
            await tap.run(milliseconds: 40)
            let sent = capture.microphoneSamplesSent
            await tap.run(milliseconds: 800)
            #expect(capture.microphoneSamplesSent == sent)
            let muted = tap.audio.filter { $0.arrival > muteTime }
            let silentFrom = try #require(muted.firstIndex { $0.isSilent })
            let delay = muted[silentFrom].arrival - muteTime
            let tail = muted[..<silentFrom].map { packet in packet.samples.map { abs(Int($0)) }.max() ?? 0 }
            print("silent \(delay.milliseconds) ms after the mute; peaks until then: \(tail)")
            #expect(delay < .milliseconds(200))
            #expect(muted[silentFrom...].allSatisfy { $0.isSilent })
            #expect(muted.count > 25)
            for (last, next) in zip(tap.audio, tap.audio.dropFirst()) {
                #expect(next.timestamp - last.timestamp == 960)
            }
            capture.setMuted(false)
            #expect(await tap.run { $0.audio.last?.levelDBov ?? 127 < 30 })
            #expect(capture.microphoneSamplesSent > sent)
        }

        @Test func aClosedMicrophoneHasNoDescriptorAndSendsNothing() async throws {
            let path = MicrophoneTests.makeFile()
            defer { unlink(path) }
            let tap = try MediaTap(MicrophoneTests.settings(DeviceSpecifier("file:\(path)"))) {
                $0.setActive(microphone: false, camera: false)
            }
            defer { tap.engine.stop() }
            let capture = try #require(tap.engine.capture)
            await tap.run(milliseconds: 300)
            #expect(tap.audio.isEmpty)
            #expect(OpenDescriptors.count(of: path) == 0)
            #expect(capture.microphoneSamplesSent == 0)

            capture.setOpen(true)
            let openTime = MonotonicClock.now()
            #expect(await tap.run { !$0.audio.isEmpty })
            let first = try #require(tap.audio.first)
            print("first packet \((first.arrival - openTime).milliseconds) ms after opening")
            #expect(first.arrival - openTime < .milliseconds(200))
            #expect(first.hasMarker)
            #expect(OpenDescriptors.count(of: path) == 1)
            await tap.run(milliseconds: 300)
            #expect(tap.audio.last?.isSilent == false)

            capture.setOpen(false)
            await tap.run(milliseconds: 100)
            #expect(OpenDescriptors.count(of: path) == 0)
            #expect(tap.engine.devices.snapshot[.microphone]?.openDevice == nil)
            let count = tap.audio.count
            let sent = capture.microphoneSamplesSent
            await tap.run(milliseconds: 500)
            #expect(tap.audio.count == count)
            #expect(capture.microphoneSamplesSent == sent)
        }

        @Test func afterAPauseTheTimestampsAreWhereTheClockIs() async throws {
            let tap = try MediaTap(MicrophoneTests.settings())
            defer { tap.engine.stop() }
            let capture = try #require(tap.engine.capture)
            await tap.run(milliseconds: 300)
            let before = try #require(tap.audio.last)
            for pause in [700, 50] as [Int64] {
                capture.setOpen(false)
                await tap.run(milliseconds: pause)
                tap.forget()
                capture.setOpen(true)
                #expect(await tap.run { $0.audio.count > 3 })
            }
            let after = try #require(tap.audio.last)
            let elapsed = (after.arrival - before.arrival).milliseconds
            let ticked = (after.timestamp - before.timestamp) / 48
            print("\(elapsed) ms passed, the timestamps say \(ticked)")
            #expect(abs(elapsed - ticked) < 100)
            #expect(tap.audio.first?.hasMarker == true)
            #expect(tap.audio.dropFirst().allSatisfy { !$0.hasMarker })
        }
    }
}
