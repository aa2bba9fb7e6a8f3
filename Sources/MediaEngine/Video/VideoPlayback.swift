import Devices
import MediaTypes
import Realtime
import Synchronization

/// Decodes all remote streams (`cb-vdec`) and hands their pictures to the screen (`cb-screen`).
///
/// ```
/// VideoSource ─┐ cb-vdec
/// VideoSource ─┴─▶ VP8 ─▶ mailboxes ─▶ ScreenOutput ─▶ display
/// ```
// @unchecked: the list of sources is under a mutex.
package final class VideoPlayback: @unchecked Sendable {
    package let frameSignal: EventSignal
    /// What is to be seen besides pictures is told to it.
    package let output: ScreenOutput
    private let sources = Mutex<[VideoSource]>([])
    /// Allocations of cb-vdec.
    package let decodingAllocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    /// - Parameter preview: one's own picture, made for this signal; nil: it is not shown.
    package init(
        display: DeviceSpecifier, registry: DeviceRegistry, preview: CameraPreview? = nil, pictureSignal: EventSignal,
        state: DeviceState
    ) throws(SystemError) {
        frameSignal = try EventSignal()
        output = ScreenOutput(
            display: display, registry: registry, preview: preview, pictureSignal: pictureSignal, state: state)
    }

    package func start() throws(SystemError) {
        let decoding = try RealtimeThread(
            name: "cb-vdec", priority: .normal, stackBytes: 512 * 1_024, wakeSignal: frameSignal
        ) { stop in
            self.runDecoding(stop)
        }
        thread.withLock { $0 = decoding }
        try output.start()
    }

    /// Returns when both threads have ended and the display is closed.
    package func stop() {
        thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }?.stopAndJoin()
        output.stop()
        sources.withLock { $0 = [] }
    }

    package func add(_ source: VideoSource) {
        sources.withLock { $0.append(source) }
        frameSignal.signal()
        output.add(source)
    }

    package func remove(_ source: VideoSource) {
        sources.withLock { $0.removeAll { $0 === source } }
        output.remove(source)
    }

    /// Signalled when there may be something new to show.
    package var pictureSignal: EventSignal { output.pictureSignal }

    private func runDecoding(_ stop: StopFlag) {
        while !stop.isSet {
            decodingAllocations.record()
            _ = frameSignal.wait(timeoutMilliseconds: 500)
            let current = sources.withLock { $0 }
            // An iterator over objects allocates without optimisation.
            for index in current.indices { current[index].decodeWaitingFrames() }
        }
    }
}
