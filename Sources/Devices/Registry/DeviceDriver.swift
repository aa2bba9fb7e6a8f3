import MediaTypes

/// One way to open and list devices: a real one (ALSA, V4L2) or a simulated one. All are registered alike, and nothing
/// above this module knows which is which.
///
/// A driver supports the kinds of device for which it has a function.
package struct DeviceDriver: Sendable {
    /// The specifiers with this scheme are the driver's; nil takes what no other driver takes.
    package var scheme: String?
    package var openMicrophone: (@Sendable (DeviceSpecifier) throws(DeviceError) -> any AudioCaptureDevice)?
    package var openSpeaker: (@Sendable (DeviceSpecifier) throws(DeviceError) -> any AudioPlaybackDevice)?
    /// Gets the wished size and pictures per second.
    package var openCamera: (@Sendable (DeviceSpecifier, PictureSize, Int) throws(DeviceError) -> any CameraDevice)?
    package var openDisplay: (@Sendable (DeviceSpecifier) throws(DeviceError) -> any DisplayDevice)?
    /// What can be opened now.
    package var list: @Sendable () -> [DeviceListing]

    package init(scheme: String?, list: @escaping @Sendable () -> [DeviceListing]) {
        self.scheme = scheme
        self.list = list
    }
}
