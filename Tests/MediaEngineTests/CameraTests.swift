import Devices
import Glibc
import MediaEngine
import MediaTypes
import Realtime
import Testing

extension RunningEngineTests {
    @Suite struct CameraTests {
        static func settings(_ cameras: [DeviceSpecifier]) -> MediaEngineSettings {
            var settings = MediaEngineSettings()
            settings.cameras = cameras
            settings.videoSize = PictureSize(width: 320, height: 240)
            settings.framesPerSecond = 20
            settings.startBitrate = .kilobitsPerSecond(400)
            return settings
        }

        @Test(arguments: [
            "test-pattern:variant=2", "test-pattern:variant=2,size=160x120", "test-pattern:variant=2,size=400x160",
        ])
        func aSwitchShowsTheOtherCameraWithinASecondInAStreamOfTheSameSize(second: String) async throws {
            let tap = try MediaTap(CameraTests.settings(["test-pattern", DeviceSpecifier(second)]))
            defer { tap.engine.stop() }
            let camera = try #require(tap.engine.camera)
            #expect(await tap.run { $0.video.count > 5 })
            #expect(tap.video.allSatisfy { $0.redChroma < 140 })
            #expect(camera.currentCamera == "test-pattern")
            var delays: [Interval] = []
            for isSecond in [true, false, true, false] {
                tap.forget()
                camera.switchCamera()
                let switchTime = MonotonicClock.now()
                #expect(await tap.run { $0.video.contains { ($0.redChroma > 150) == isSecond } })
                let first = try #require(tap.video.first { ($0.redChroma > 150) == isSecond })
                print(
                    "seen \((first.arrival - switchTime).milliseconds) ms after the switch, counter \(first.counter ?? -1)"
                )
                delays.append(first.arrival - switchTime)
                #expect(first.isKeyFrame)
                #expect(camera.currentCamera == (isSecond ? second : "test-pattern"))
                // The bars above and below a wide picture hide the code.
                let hasCode = !isSecond || !second.contains("400x160")
                if hasCode { #expect((first.counter ?? -1) / 32_768 == (isSecond ? 1 : 0)) }
                await tap.run(milliseconds: 500)
                #expect(tap.video.allSatisfy { $0.size == PictureSize(width: 320, height: 240) })
                #expect(tap.video.filter(\.isKeyFrame).count == 1)
                #expect(tap.engine.devices.snapshot[.camera]?.fault == nil)
            }
            // A busy machine may delay one of them.
            #expect(delays.sorted()[1] < .seconds(1))
        }

        @Test func aCameraThatDoesNotOpenIsPassedOverAndTold() async throws {
            let names: [DeviceSpecifier] = ["test-pattern", "/dev/no-such-camera", "test-pattern:variant=2"]
            let tap = try MediaTap(CameraTests.settings(names))
            defer { tap.engine.stop() }
            let camera = try #require(tap.engine.camera)
            #expect(await tap.run { $0.video.count > 3 })
            camera.switchCamera()
            #expect(await tap.run { ($0.video.last?.redChroma ?? 0) > 150 })
            #expect(camera.currentCamera == "test-pattern:variant=2")
            camera.switchCamera(to: 0)
            #expect(await tap.run { ($0.video.last?.redChroma ?? 255) < 140 })
            #expect(camera.currentCamera == "test-pattern")
            // There is no fourth camera.
            camera.switchCamera(to: 3)
            await tap.run(milliseconds: 100)
            #expect(camera.currentCamera == "test-pattern")
        }

        @Test func whenNoOtherCameraOpensTheOldOneStaysAndTheReasonIsTold() async throws {
            let tap = try MediaTap(CameraTests.settings(["test-pattern", "/dev/no-such-camera"]))
            defer { tap.engine.stop() }
            let camera = try #require(tap.engine.camera)
            #expect(await tap.run { $0.video.count > 3 })
            camera.switchCamera()
            #expect(await tap.run { $0.engine.devices.snapshot[.camera]?.fault != nil })
            let entry = tap.engine.devices.snapshot[.camera]
            print(entry?.fault ?? "no fault")
            #expect(entry?.openDevice == "test-pattern")
            tap.forget()
            #expect(await tap.run { $0.video.count > 3 })
            #expect(tap.video.allSatisfy { $0.redChroma < 140 && $0.counter != nil })
        }

        @Test func aCameraThatIsOffIsClosedAndSendsNothing() async throws {
            let path = "/tmp/callbox-camera-\(getpid()).y4m"
            defer { unlink(path) }
            let header = Array("YUV4MPEG2 W64 H48 F20:1 C420jpeg\nFRAME\n".utf8)
            let picture = header + [UInt8](repeating: 100, count: 64 * 48 * 3 / 2)
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            _ = picture.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            close(file)
            let tap = try MediaTap(CameraTests.settings([DeviceSpecifier("file:\(path)"), "test-pattern:variant=2"])) {
                $0.setActive(microphone: false, camera: false)
            }
            defer { tap.engine.stop() }
            let camera = try #require(tap.engine.camera)
            await tap.run(milliseconds: 300)
            #expect(tap.video.isEmpty && OpenDescriptors.count(of: path) == 0)
            var delays: [Interval] = []
            for _ in 0..<3 {
                tap.forget()
                camera.setOpen(true)
                let openTime = MonotonicClock.now()
                #expect(await tap.run { !$0.video.isEmpty })
                let first = try #require(tap.video.first)
                delays.append(first.arrival - openTime)
                #expect(OpenDescriptors.count(of: path) == 1)
                camera.setOpen(false)
                await tap.run(milliseconds: 200)
                #expect(OpenDescriptors.count(of: path) == 0)
            }
            print("first pictures \(delays.map(\.milliseconds)) ms after opening")
            // A busy machine may delay one of them.
            #expect(delays.min() ?? .seconds(9) < .milliseconds(200))

            camera.setOpen(true)
            tap.forget()
            #expect(await tap.run { !$0.video.isEmpty })
            camera.setOn(false)
            await tap.run(milliseconds: 200)
            #expect(OpenDescriptors.count(of: path) == 0)
            #expect(camera.currentCamera == nil && !camera.isOn && !camera.isOpen)
            tap.forget()
            await tap.run(milliseconds: 400)
            #expect(tap.video.isEmpty)

            // A switch while it is off opens nothing, and is remembered.
            camera.switchCamera()
            await tap.run(milliseconds: 200)
            #expect(tap.video.isEmpty && camera.currentCamera == nil)
            camera.setOn(true)
            #expect(await tap.run { !$0.video.isEmpty })
            #expect(tap.video.first?.isKeyFrame == true)
            #expect(camera.currentCamera == "test-pattern:variant=2")
            #expect(tap.video.first?.size == PictureSize(width: 64, height: 48))
        }
    }
}
