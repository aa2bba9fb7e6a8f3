import Codecs
import MediaTypes

/// A microphone, real or simulated: delivers 10 ms of 48 kHz mono at the pace of its own clock.
///
/// - Thread: one thread at a time (`cb-capture`); `read` neither allocates nor locks in steady state.
package protocol AudioCaptureDevice: AnyObject {
    /// As in the specifier.
    var name: String { get }
    /// How often sound was lost because nobody read in time, or the device was suspended.
    var interruptionCount: Int { get }
    /// Fills `period` (480 frames), waiting for the device at most about a second.
    ///
    /// - Returns: when the first of these frames was captured.
    func read(into period: UnsafeMutableBufferPointer<Int16>) throws(DeviceError) -> MonotonicTime
    /// Gives the device back; nothing may be called afterwards but `close` again.
    func close()
}

/// A speaker, real or simulated: takes 10 ms of 48 kHz mono at the pace of its own clock.
///
/// - Thread: one thread at a time (`cb-play`); `write` neither allocates nor locks in steady state.
package protocol AudioPlaybackDevice: AnyObject {
    /// As in the specifier.
    var name: String { get }
    /// How often the speaker ran dry.
    var interruptionCount: Int { get }
    /// Queues `period` (480 frames); waits (at most about a second) until the device has room for it, which paces the
    /// caller.
    func write(_ period: UnsafeBufferPointer<Int16>) throws(DeviceError)
    /// Frames (48 kHz) between a frame written now and the moment it is heard.
    var delayFrames: Int { get }
    /// Gives the device back; what is still queued may be cut off.
    func close()
}

/// A camera, real or simulated.
///
/// - Thread: one thread at a time (`cb-camera`).
package protocol CameraDevice: AnyObject {
    /// As in the specifier.
    var name: String { get }
    /// What the camera delivers, which may differ from what was asked.
    var size: PictureSize { get }
    /// Pictures per second as far as the camera tells; 0 when it does not.
    var framesPerSecond: Double { get }
    /// Pictures dropped because they were broken, or because nobody fetched them in time.
    var droppedPictureCount: Int { get }
    /// Fills `picture` (resized to `size`) with the next picture, its capture time, its number and its 90 kHz timestamp.
    ///
    /// - Returns: false when there was none within the time-out.
    func capture(into picture: Picture, timeoutMilliseconds: Int32) throws(DeviceError) -> Bool
    /// Stops the camera (its light goes dark) and gives it back.
    func close()
}

/// A screen, real or simulated.
///
/// - Thread: one thread at a time (`cb-screen`).
package protocol DisplayDevice: AnyObject {
    /// As in the specifier.
    var name: String { get }
    /// The size pictures should have; it changes only in `look`.
    var size: PictureSize { get }
    /// Before this time a picture would not be shown, so that none need be composed; zero when any time is right.
    var nextPictureTime: MonotonicTime { get }
    /// What it did so far.
    var figures: DisplayFigures { get }
    /// Looks whether the screen is still there and the same; cheap, called some times a second also while nothing is
    /// shown.
    /// - Returns: whether it must be told everything again by `show`; only then `size` may have changed.
    func look(at time: MonotonicTime) throws(DeviceError) -> Bool
    /// Shows `picture` from now on. It has the display's size.
    /// - Parameter changes: where it differs from the one before; the first after opening differs everywhere.
    func show(_ picture: Picture, changes: PictureRegion, at time: MonotonicTime) throws(DeviceError)
    /// Gives the display back.
    func close()
}

extension DisplayDevice {
    package var figures: DisplayFigures { DisplayFigures() }

    package func look(at time: MonotonicTime) throws(DeviceError) -> Bool { false }

    /// Shows a picture that differs everywhere from the one before.
    package func show(_ picture: Picture, at time: MonotonicTime) throws(DeviceError) {
        try show(picture, changes: PictureRegion(PictureRectangle(picture.size)), at: time)
    }
}
