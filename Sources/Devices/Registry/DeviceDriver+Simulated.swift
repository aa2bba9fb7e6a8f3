extension DeviceDriver {
    /// The devices made by software.
    static let simulated: [DeviceDriver] = [testPattern, tone, file, discard, snapshots, none, simulatedLines]

    private static var testPattern: DeviceDriver {
        var driver = DeviceDriver(scheme: "test-pattern") {
            [
                .simulated(
                    .camera, "test-pattern",
                    "a moving picture with a frame counter; test-pattern:variant=2 in other colours")
            ]
        }
        driver.openCamera = { (specifier, size, rate) throws(DeviceError) -> any CameraDevice in
            try TestPatternCamera(specifier: specifier, size: size, framesPerSecond: rate)
        }
        return driver
    }

    private static var tone: DeviceDriver {
        var driver = DeviceDriver(scheme: "tone") {
            [.simulated(.microphone, "tone:440", "a sine of 440 Hz; tone:440,-20 has a level of -20 dB")]
        }
        driver.openMicrophone = { (specifier) throws(DeviceError) -> any AudioCaptureDevice in
            try ToneMicrophone(specifier: specifier)
        }
        return driver
    }

    private static var file: DeviceDriver {
        var driver = DeviceDriver(scheme: "file") {
            [
                .simulated(.microphone, "file:PATH.wav", "plays a 16-bit WAV file in a loop"),
                .simulated(.speaker, "file:PATH.wav", "keeps what is played in a WAV file"),
                .simulated(.camera, "file:PATH.y4m", "plays a YUV4MPEG2 file in a loop"),
            ]
        }
        driver.openMicrophone = { (specifier) throws(DeviceError) -> any AudioCaptureDevice in
            try FileMicrophone(specifier: specifier)
        }
        driver.openSpeaker = { (specifier) throws(DeviceError) -> any AudioPlaybackDevice in
            try FileSpeaker(specifier: specifier)
        }
        driver.openCamera = { (specifier, _, _) throws(DeviceError) -> any CameraDevice in
            try FileCamera(specifier: specifier)
        }
        return driver
    }

    private static var discard: DeviceDriver {
        var driver = DeviceDriver(scheme: "discard") {
            [.simulated(.speaker, "discard", "plays nothing, at the pace of a real speaker")]
        }
        driver.openSpeaker = { (specifier) throws(DeviceError) -> any AudioPlaybackDevice in
            try DiscardSpeaker(specifier: specifier)
        }
        return driver
    }

    private static var snapshots: DeviceDriver {
        var driver = DeviceDriver(scheme: "snapshots") {
            [.simulated(.display, "snapshots:DIRECTORY", "writes a PNG file of the screen once a second")]
        }
        driver.openDisplay = { (specifier) throws(DeviceError) -> any DisplayDevice in
            try SnapshotDisplay(specifier: specifier)
        }
        return driver
    }

    private static var simulatedLines: DeviceDriver {
        DeviceDriver(scheme: LineAddress.simulatedChip) {
            [.simulated(.gpio, LineAddress.simulatedChip, "any line; pressed and seen by `callbox ctl`")]
        }
    }

    private static var none: DeviceDriver {
        var driver = DeviceDriver(scheme: "none") { [.simulated(.display, "none", "shows nothing")] }
        driver.openDisplay = { (specifier) throws(DeviceError) -> any DisplayDevice in
            try NoDisplay(specifier: specifier)
        }
        return driver
    }
}

extension DeviceListing {
    fileprivate static func simulated(_ kind: DeviceKind, _ specifier: String, _ summary: String) -> DeviceListing {
        DeviceListing(kind: kind, specifier: specifier, summary: summary, isSimulated: true)
    }
}
