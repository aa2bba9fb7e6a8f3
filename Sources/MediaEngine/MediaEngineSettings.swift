import Devices
import MediaTypes

/// What the media threads are to drive. A device that is nil is not wanted ("none"): its threads are not started.
package struct MediaEngineSettings: Sendable {
    package var microphone: DeviceSpecifier?
    package var speaker: DeviceSpecifier?
    /// Best first; empty: none.
    package var cameras: [DeviceSpecifier] = []
    package var display: DeviceSpecifier?
    /// Where one's own picture is shown; nil: nowhere.
    package var preview: PreviewPlace? = .bottomRight
    package var videoSize = PictureSize(width: 640, height: 480)
    package var framesPerSecond = 30
    package var startBitrate = Bitrate.kilobitsPerSecond(800)
    package var audioBitrate = Bitrate.kilobitsPerSecond(32)
    package var usesFEC = true
    package var usesDTX = false

    package init() {}
}
