import MediaTypes
import Testing

@testable import Devices

@Suite struct DeviceRegistryTests {
    let registry = DeviceRegistry()
    let size = PictureSize(width: 160, height: 120)

    @Test func specifiersAreCutAtTheirFirstColon() {
        let specifier = DeviceSpecifier("file:/a:b.wav")
        #expect(specifier.scheme == "file" && specifier.argument == "/a:b.wav")
        #expect(DeviceSpecifier("discard").scheme == "discard" && DeviceSpecifier("discard").argument == "")
    }

    @Test func simulatedDevicesOpenLikeRealOnes() throws {
        #expect(try registry.openMicrophone("tone:440").name == "tone:440")
        #expect(try registry.openSpeaker("discard").name == "discard")
        #expect(try registry.openCamera("test-pattern", size: size, framesPerSecond: 10).size == size)
        #expect(try registry.openDisplay("none").name == "none")
    }

    @Test func aDeviceOfTheWrongKindIsTold() {
        #expect(throws: DeviceError.unsupported(name: "discard", reason: "it is not a microphone")) {
            try registry.openMicrophone("discard")
        }
        #expect(throws: DeviceError.unsupported(name: "tone:440", reason: "it is not a camera")) {
            try registry.openCamera("tone:440", size: size, framesPerSecond: 10)
        }
        #expect(throws: DeviceError.unsupported(name: "nothing", reason: "it is not a display")) {
            try registry.openDisplay("nothing")
        }
    }

    @Test func theListHasEverySimulatedDevice() {
        let listed = registry.list().filter(\.isSimulated).map { "\($0.kind.rawValue) \($0.specifier)" }
        #expect(
            listed == [
                "camera test-pattern", "microphone tone:440", "microphone file:PATH.wav", "speaker file:PATH.wav",
                "camera file:PATH.y4m", "speaker discard", "display snapshots:DIRECTORY", "display none",
                "gpio simulated",
            ])
    }

    @Test func errorsArePlainSentences() {
        #expect(DeviceError.missing(name: "hw:A").description == "there is no device 'hw:A'")
        #expect(DeviceError.busy(name: "hw:A", holder: "aplay (7)").description == "'hw:A' is in use by aplay (7)")
        #expect(
            DeviceError.system(name: "hw:A", operation: "read", code: 5).description
                == "'hw:A': read failed: Input/output error")
    }
}
