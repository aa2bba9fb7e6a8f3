import Devices
import Glibc
import MediaEngine
import MediaTypes
import Realtime
import Testing

extension RunningEngineTests {
    @Suite struct MediaThreadTests {
        static func settings() -> MediaEngineSettings {
            var settings = MediaEngineSettings()
            settings.microphone = "tone:440"
            settings.speaker = "discard"
            settings.cameras = [
                "test-pattern", "test-pattern:variant=2", "test-pattern:variant=2,size=400x240",
            ]
            settings.display = "none"
            return settings
        }

        @Test func mediaThreadsAllocateNothingPerPeriodInSteadyState() async throws {
            try await expectNoAllocations { _ in }
        }

        @Test func tonesMuteVolumeAnotherCameraAndWordsCostNoAllocationPerPeriodEither() async throws {
            try await expectNoAllocations { loop in
                let engine = loop.engine
                engine.capture?.setMuted(true)
                engine.playback?.setTone(.ring)
                engine.playback?.setVolume(percent: 40)
                engine.playback?.setToneVolume(percent: 60)
                engine.camera?.switchCamera()
                engine.screen?.output.show(text: "Please wait", until: MonotonicClock.now() + .seconds(60))
            }
        }

        @Test func aCameraThatMustBeFittedCostsNoMoreThanThreeRowsAPicture() async throws {
            // libyuv takes memory for a row of each plane and gives it back; nothing of it lasts.
            try await expectNoAllocations(perCameraPicture: 3) { loop in loop.engine.camera?.switchCamera(to: 2) }
        }

        /// - Parameters:
        ///   - perCameraPicture: what cb-camera may allocate, and give back, for each picture.
        ///   - prepare: changes what the threads do, before they are in their steady state.
        private func expectNoAllocations(
            perCameraPicture: Int = 0, _ prepare: (MediaEngineLoop) -> Void
        ) async throws {
            try #require(AllocationCounter.isActive, "this build counts no allocations")
            let loop = try MediaEngineLoop(MediaThreadTests.settings())
            defer { loop.stop() }
            let engine = loop.engine
            // Key frames, growing buffers and lazily made tables belong to the start.
            try await loop.run(seconds: 1)
            prepare(loop)
            try await loop.run(seconds: 3)
            let probes: [(String, AllocationProbe?)] = [
                ("cb-capture", engine.capture?.allocations), ("cb-play", engine.playback?.allocations),
                ("cb-camera", engine.camera?.allocations), ("cb-venc", engine.encoding?.allocations),
                ("cb-vdec", engine.screen?.decodingAllocations), ("cb-screen", engine.screen?.output.allocations),
            ]
            let before = probes.map { $0.1?.count ?? -1 }
            let framesBefore = loop.video?.statistics.decodedCount ?? 0
            let capturedBefore = engine.camera?.capturedCount ?? 0
            let playedBefore = loop.audio.statistics.playedSeconds
            try await loop.run(seconds: 4)
            for (index, probe) in probes.enumerated() {
                let count = try #require(probe.1).count
                print("\(probe.0): \(count - before[index]) allocations in 4 s (\(before[index]) before)")
                #expect(before[index] >= 0)
                let captured = (engine.camera?.capturedCount ?? 0) - capturedBefore
                let allowed = probe.0 == "cb-camera" ? perCameraPicture * (captured + 2) : 0
                #expect(count - before[index] <= allowed, "\(probe.0)")
            }
            // The threads did work meanwhile.
            #expect((loop.video?.statistics.decodedCount ?? 0) - framesBefore > 20)
            #expect(loop.audio.statistics.playedSeconds - playedBefore > 2)
        }

        @Test func soundAndPictureOfTheOneSideArePlayedByTheOther() async throws {
            let path = "/tmp/callbox-engine-\(getpid()).wav"
            defer { unlink(path) }
            var settings = MediaThreadTests.settings()
            settings.speaker = DeviceSpecifier("file:\(path)")
            let loop = try MediaEngineLoop(settings)
            try await loop.run(seconds: 3)
            let audio = loop.audio.statistics
            let video = try #require(loop.video).statistics
            loop.stop()
            print("played \(audio), \(video)")
            #expect(audio.playedSeconds > 1.5)
            #expect(audio.concealedSeconds < 0.2)
            #expect(audio.decodeErrorCount == 0)
            #expect(video.decodedCount > 15)
            #expect(video.failedCount == 0)
            #expect(video.size == PictureSize(width: 640, height: 480))
        }

        @Test func aMissingCameraShowsThePlaceholderAndAMissingMicrophoneSilence() async throws {
            var settings = MediaThreadTests.settings()
            settings.cameras = ["/dev/no-such-camera"]
            settings.microphone = "file:/no/such/file.wav"
            settings.speaker = "file:/no/such/folder/out.wav"
            let loop = try MediaEngineLoop(settings)
            try await loop.run(seconds: 3)
            let audio = loop.audio.statistics
            let video = try #require(loop.video).statistics
            let devices = loop.engine.devices.snapshot
            loop.stop()
            #expect(video.decodedCount > 5)
            #expect(audio.playedSeconds > 1)
            #expect(
                devices[.camera]?.fault != nil && devices[.microphone]?.fault != nil && devices[.speaker]?.fault != nil)
        }

        @Test func aCameraThatDoesNotOpenIsReplacedByTheNextOfTheList() async throws {
            var settings = MediaThreadTests.settings()
            settings.cameras = ["/dev/no-such-camera", "test-pattern"]
            let loop = try MediaEngineLoop(settings)
            try await loop.run(seconds: 1)
            var camera = loop.engine.devices.snapshot[.camera]
            for _ in 0..<200 where camera?.openDevice == nil {
                try await Task.sleep(nanoseconds: 100_000_000)
                camera = loop.engine.devices.snapshot[.camera]
            }
            loop.stop()
            #expect(camera?.openDevice == "test-pattern")
            #expect(camera?.fault == nil)
        }

        @Test func startAndStopLeaveNoThreadAndNoDescriptor() async throws {
            func count(_ path: String) -> Int {
                guard let directory = opendir(path) else { return -1 }
                defer { closedir(directory) }
                var count = 0
                while readdir(directory) != nil { count += 1 }
                return count
            }
            func cycle() async throws {
                let loop = try MediaEngineLoop(MediaThreadTests.settings())
                try await loop.run(seconds: 0)
                loop.stop()
            }
            try await cycle()
            // Other suites of the process come and go: the smallest difference of several rounds is this suite's.
            var threads = Int.max
            var descriptors = Int.max
            for _ in 0..<3 {
                let threadsBefore = count("/proc/self/task")
                let descriptorsBefore = count("/proc/self/fd")
                for _ in 0..<10 { try await cycle() }
                threads = min(threads, count("/proc/self/task") - threadsBefore)
                descriptors = min(descriptors, count("/proc/self/fd") - descriptorsBefore)
            }
            print("left after 10 cycles: \(threads) threads, \(descriptors) descriptors")
            #expect(threads <= 0)
            #expect(descriptors <= 0)
        }
    }
}
