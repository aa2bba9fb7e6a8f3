import Codecs
import Devices
import MediaTypes
import Realtime
import Testing

@testable import MediaEngine
@testable import MediaTransport

extension RunningEngineTests {
    @Suite struct ScreenTests {
        /// A screen with one stream, and an encoder that stands for the other side.
        // @unchecked: used by one test, and by its thread while the test waits for it.
        final class Stage: @unchecked Sendable {
            let playback: VideoPlayback
            let source: VideoSource
            private let encoder: VP8Encoder
            private let camera: any CameraDevice
            private let picture = Picture(size: PictureSize(width: 320, height: 240))
            private var sent: UInt32 = 0

            init() throws {
                ProbeDisplay.shots.withLock { $0 = [] }
                playback = try VideoPlayback(
                    display: "probe", registry: ProbeDisplay.registry, pictureSignal: try EventSignal(),
                    state: DeviceState())
                source = VideoSource(
                    name: "far", frameSignal: playback.frameSignal, pictureSignal: playback.pictureSignal)
                let size = PictureSize(width: 320, height: 240)
                encoder = try VP8Encoder(size: size, bitrate: .kilobitsPerSecond(500), framesPerSecond: 20)
                camera = try DeviceRegistry().openCamera("test-pattern", size: size, framesPerSecond: 20)
                try playback.start()
                playback.add(source)
            }

            func send() {
                guard (try? camera.capture(into: picture, timeoutMilliseconds: 200)) == true,
                    let frame = try? encoder.encode(
                        picture, timestamp: RTPTimestamp(sent * 4_500), forceKeyFrame: sent == 0)
                else { return }
                sent += 1
                source.receive(
                    ReceivedVideoFrame(
                        bytes: frame.bytes, timestamp: Int64(sent) * 4_500, isKeyFrame: frame.isKeyFrame,
                        completion: MonotonicClock.now(), senderTime: nil))
            }

            /// Whether the screen comes to look like that within 5 s, while frames are sent or not.
            func shows(sending: Bool = false, _ condition: @escaping @Sendable (ProbeDisplay.Shot) -> Bool) async
                -> Bool
            {
                await TestThread.run { [self] in
                    let end = MonotonicClock.now() + .seconds(5)
                    while MonotonicClock.now() < end {
                        if sending {
                            send()
                        } else {
                            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(5))
                        }
                        if let last = ProbeDisplay.last, condition(last) { return true }
                    }
                    return false
                }
            }

            func stop() {
                playback.remove(source)
                playback.stop()
            }
        }

        static let offGround = PlaceholderPicture.cameraOff.background

        static func isCameraOff(_ shot: ProbeDisplay.Shot) -> Bool {
            abs(Int(shot.edgeLuma) - Int(offGround.luma)) < 3
                && abs(Int(shot.edgeBlueChroma) - Int(offGround.blueChroma)) < 3
        }

        @Test func aMutedStreamShowsTheSignAtOnceAndTheFirstNewPictureAfterwards() async throws {
            let stage = try Stage()
            defer { stage.stop() }
            #expect(await stage.shows(sending: true) { ($0.counter ?? 0) > 3 })
            let muteTime = MonotonicClock.now()
            stage.source.setMuted(true)
            #expect(await stage.shows(ScreenTests.isCameraOff))
            let shown = ProbeDisplay.shots.withLock { shots in shots.first { ScreenTests.isCameraOff($0) }?.time }
            let delay = try #require(shown) - muteTime
            print("camera-off sign after \(delay.milliseconds) ms")
            #expect(delay < .milliseconds(200))

            // Stragglers do not bring the picture back, nor does the unmute itself.
            _ = await stage.shows(sending: true) { _ in stage.source.statistics.decodedCount > 8 }
            #expect(ProbeDisplay.last.map(ScreenTests.isCameraOff) == true)
            stage.source.setMuted(false)
            #expect(await !stage.shows { $0.time > muteTime + .seconds(1) && !ScreenTests.isCameraOff($0) })
            #expect(await stage.shows(sending: true) { $0.counter != nil && $0.time > muteTime })
        }

        @Test func aStreamThatBeginsMutedShowsTheSignBeforeAnyPicture() async throws {
            let stage = try Stage()
            defer { stage.stop() }
            stage.source.setMuted(true)
            #expect(await stage.shows(ScreenTests.isCameraOff))
        }

        @Test func wordsStandOverThePicturesUntilTheirTimeHasCome() async throws {
            let stage = try Stage()
            defer { stage.stop() }
            #expect(await stage.shows(sending: true) { ($0.counter ?? 0) > 1 })
            #expect(stage.playback.output.text == nil)
            stage.playback.output.show(text: "Please wait", until: MonotonicClock.now() + .milliseconds(1_200))
            #expect(stage.playback.output.text == "Please wait")
            #expect(await stage.shows { $0.litCount > 100 })
            // New pictures do not paint over them.
            let before = ProbeDisplay.shots.withLock { $0.count }
            #expect(await stage.shows(sending: true) { _ in ProbeDisplay.shots.withLock { $0.count } > before + 5 })
            let during = ProbeDisplay.shots.withLock { Array($0[before...]) }
            #expect(during.allSatisfy { $0.litCount > 100 && $0.counter != nil })
            // Without any new picture they go in time.
            #expect(await stage.shows { $0.litCount < 20 && $0.counter != nil })
            #expect(stage.playback.output.text == nil)
        }

        @Test func newWordsTakeThePlaceOfTheOldAndNoneTakesThemAway() async throws {
            let stage = try Stage()
            defer { stage.stop() }
            let end = MonotonicClock.now() + .seconds(60)
            stage.playback.output.show(text: "iiii", until: end)
            #expect(await stage.shows { $0.litCount > 20 })
            let few = ProbeDisplay.last?.litCount ?? 0
            stage.playback.output.show(text: "MMMMMMMM", until: end)
            #expect(await stage.shows { $0.litCount > 2 * few })
            stage.playback.output.show(text: nil, until: end)
            #expect(await stage.shows { $0.litCount == 0 })
        }
    }
}
