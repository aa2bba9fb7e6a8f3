extension DeviceDriver {
    /// Sound cards and everything else that ALSA knows by a PCM name.
    static var alsa: DeviceDriver {
        var driver = DeviceDriver(scheme: nil) { ALSACard.all().flatMap(\.listings) }
        driver.openMicrophone = { (specifier) throws(DeviceError) -> any AudioCaptureDevice in
            try ALSAMicrophone(specifier: specifier)
        }
        driver.openSpeaker = { (specifier) throws(DeviceError) -> any AudioPlaybackDevice in
            try ALSASpeaker(specifier: specifier)
        }
        return driver
    }

    /// Cameras behind video nodes.
    static var v4l2: DeviceDriver {
        var driver = DeviceDriver(scheme: nil) { V4L2Directory.listings() }
        driver.openCamera = { (specifier, size, rate) throws(DeviceError) -> any CameraDevice in
            try V4L2Camera(specifier: specifier, size: size, framesPerSecond: rate)
        }
        return driver
    }

    /// Screens at graphics cards.
    static var kms: DeviceDriver {
        var driver = DeviceDriver(scheme: "kms") { KMSDirectory.listings() }
        driver.openDisplay = { (specifier) throws(DeviceError) -> any DisplayDevice in
            try KMSDisplay(specifier: specifier)
        }
        return driver
    }

    /// GPIO chips and input devices: listed here, opened by `LineOpener`.
    static var lines: DeviceDriver {
        DeviceDriver(scheme: nil) { GPIODirectory.listings() + KeyDirectory.listings() }
    }
}

extension ALSACard {
    /// The card as microphone and as speaker; as both, with the problem, when it could not be asked.
    fileprivate var listings: [DeviceListing] {
        var listings: [DeviceListing] = []
        for (kind, devices) in [(DeviceKind.microphone, captureDevices), (.speaker, playbackDevices)] {
            guard problem != nil || !devices.isEmpty else { continue }
            let further = devices.dropFirst().map { "also hw:CARD=\(id),DEV=\($0)" }
            listings.append(
                DeviceListing(
                    kind: kind, specifier: "card:\(id)", summary: name, details: Array(further),
                    problem: problem.map { "may not be opened: \($0)" }))
        }
        return listings
    }
}
