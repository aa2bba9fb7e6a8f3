extension DeviceDriver {
    /// Sound cards; not yet.
    static var alsa: DeviceDriver { DeviceDriver(scheme: nil) { [] } }

    /// Video nodes; not yet.
    static var v4l2: DeviceDriver { DeviceDriver(scheme: nil) { [] } }
}
