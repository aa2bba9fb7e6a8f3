import Codecs
import Devices
import MediaTypes
import Realtime
import Telemetry

/// All media threads of this endpoint: what stands between the devices and the network thread.
///
/// ```
/// microphone ─ cb-capture ─▶ audioPackets ─┐                 ┌─▶ AudioSource… ─ cb-play ─▶ speaker
///                                          ├─▶ cb-net (peers)─┤
/// camera ─ cb-camera ─ cb-venc ─▶ videoFrames ┘               └─▶ VideoSource… ─ cb-vdec ─ cb-screen ─▶ display
/// ```
/// A part whose device is configured as "none" is not started.
package final class MediaEngine: Sendable {
    /// Signalled when `audioPackets` or `videoFrames` has something for the network thread.
    package let outgoingSignal: EventSignal
    package let devices: DeviceState
    package let capture: AudioCapture?
    package let playback: AudioPlayback?
    package let camera: CameraCapture?
    package let encoding: VideoEncoding?
    package let screen: VideoPlayback?

    /// - Errors: no descriptors left, or a codec library that refuses its settings.
    package init(settings: MediaEngineSettings, registry: DeviceRegistry) throws(MediaEngineError) {
        do {
            let state = DeviceState()
            devices = state
            outgoingSignal = try EventSignal()
            if let microphone = settings.microphone {
                capture = try AudioCapture(
                    settings: AudioCapture.Settings(
                        microphone: microphone, bitrate: settings.audioBitrate, usesFEC: settings.usesFEC,
                        usesDTX: settings.usesDTX),
                    registry: registry, readySignal: outgoingSignal, state: state)
            } else {
                capture = nil
            }
            let screenSignal = try EventSignal()
            let preview =
                settings.display == nil || settings.cameras.isEmpty
                ? nil : settings.preview.map { CameraPreview(place: $0, pictureSignal: screenSignal) }
            playback = settings.speaker.map { AudioPlayback(speaker: $0, registry: registry, state: state) }
            if !settings.cameras.isEmpty {
                let pictureSignal = try EventSignal()
                let camera = try CameraCapture(
                    cameras: settings.cameras, size: settings.videoSize, framesPerSecond: settings.framesPerSecond,
                    registry: registry, readySignal: pictureSignal, preview: preview, state: state)
                self.camera = camera
                encoding = VideoEncoding(
                    pictures: camera.pictures, pictureSignal: pictureSignal,
                    framesPerSecond: settings.framesPerSecond, bitrate: settings.startBitrate,
                    readySignal: outgoingSignal)
            } else {
                camera = nil
                encoding = nil
            }
            if let display = settings.display {
                screen = try VideoPlayback(
                    display: display, registry: registry, preview: preview, pictureSignal: screenSignal, state: state)
            } else {
                screen = nil
            }
        } catch let error as SystemError {
            throw .system(error)
        } catch let error as MediaEngineError {
            throw error
        } catch {
            preconditionFailure("only system and engine errors are thrown here")
        }
    }

    package func start() throws(MediaEngineError) {
        do throws(SystemError) {
            try capture?.start()
            try playback?.start()
            try encoding?.start()
            try camera?.start()
            try screen?.start()
        } catch {
            stop()
            throw .system(error)
        }
    }

    /// Returns when every thread has ended and every device is closed.
    package func stop() {
        camera?.stop()
        encoding?.stop()
        capture?.stop()
        playback?.stop()
        screen?.stop()
    }

    /// Opens and closes microphone and camera as the joining mode needs them: a closed device has no descriptor open.
    ///
    /// Both are open before the first call, which may come before `start` and then keeps them closed from the beginning.
    /// Whether the person muted the microphone or switched the camera off is kept apart. The speaker stays open, so that
    /// a ring tone sounds at once.
    package func setActive(microphone: Bool, camera: Bool) {
        capture?.setOpen(microphone)
        self.camera?.setOpen(camera)
    }

    /// Whether anybody is there to send to: without, nothing is encoded.
    package func setNeeded(_ needed: Bool) {
        capture?.setNeeded(needed)
        encoding?.setNeeded(needed)
        if needed { encoding?.requestKeyFrame() }
    }
}
