import MediaTypes

/// Opens and lists every device the endpoint can use: the only door to this module.
///
/// - Thread: any. Opening may block for some 100 ms (hardware), so it does not belong on a real-time thread.
package final class DeviceRegistry: Sendable {
    private let drivers: [DeviceDriver]

    /// Everything this machine may have, and the simulated devices.
    package convenience init() {
        self.init(drivers: DeviceDriver.simulated + [.alsa, .v4l2, .kms, .lines])
    }

    /// For tests: only these drivers.
    package init(drivers: [DeviceDriver]) {
        self.drivers = drivers
    }

    /// Opens a microphone; it runs from its first `read` on.
    package func openMicrophone(_ specifier: DeviceSpecifier) throws(DeviceError) -> any AudioCaptureDevice {
        try driver(of: specifier, for: .microphone, \.openMicrophone)(specifier)
    }

    /// Opens a speaker; it runs from its first `write` on.
    package func openSpeaker(_ specifier: DeviceSpecifier) throws(DeviceError) -> any AudioPlaybackDevice {
        try driver(of: specifier, for: .speaker, \.openSpeaker)(specifier)
    }

    /// Opens and starts a camera.
    ///
    /// - Parameters: the wished size and pictures per second; what comes is the nearest that the camera has, so read
    ///   its `size` and `framesPerSecond`.
    package func openCamera(
        _ specifier: DeviceSpecifier, size: PictureSize, framesPerSecond: Int
    ) throws(DeviceError) -> any CameraDevice {
        try driver(of: specifier, for: .camera, \.openCamera)(specifier, size, framesPerSecond)
    }

    /// Opens a display.
    package func openDisplay(_ specifier: DeviceSpecifier) throws(DeviceError) -> any DisplayDevice {
        try driver(of: specifier, for: .display, \.openDisplay)(specifier)
    }

    /// What the machine has now; real devices first, then the simulated ones.
    package func list() -> [DeviceListing] {
        let all = drivers.flatMap { $0.list() }
        return all.filter { !$0.isSimulated } + all.filter(\.isSimulated)
    }

    private func driver<Open>(
        of specifier: DeviceSpecifier, for kind: DeviceKind, _ open: KeyPath<DeviceDriver, Open?>
    ) throws(DeviceError) -> Open {
        let scheme = specifier.scheme
        let named = drivers.filter { $0.scheme == scheme }
        // A scheme that is somebody's is never taken for the name of a real device.
        let candidates = named.isEmpty ? drivers.filter { $0.scheme == nil } : named
        guard let open = candidates.lazy.compactMap({ $0[keyPath: open] }).first else {
            throw .unsupported(name: specifier.text, reason: "it is not a \(kind.rawValue)")
        }
        return open
    }
}
