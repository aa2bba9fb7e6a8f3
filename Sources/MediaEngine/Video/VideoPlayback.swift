import Codecs
import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// Decodes all remote streams (`cb-vdec`) and shows them in a grid (`cb-screen`).
///
/// ```
/// VideoSource ─┐ cb-vdec             ┌─▶ Compositor (grid) ─▶ display
/// VideoSource ─┴─▶ VP8 ─▶ mailboxes ─┘   cb-screen
/// ```
// @unchecked: the list of sources is under a mutex; compositor and display belong to cb-screen.
package final class VideoPlayback: @unchecked Sendable {
    static let reopenInterval = Interval.seconds(1)

    package let frameSignal: EventSignal
    package let pictureSignal: EventSignal
    private let registry: DeviceRegistry
    private let display: DeviceSpecifier
    private let sources = Mutex<[VideoSource]>([])
    private let listVersion = Atomic<Int>(0)
    private let shown = Atomic<Int>(0)
    private let faults = Counter("display.faults")
    private let state: DeviceState
    /// Allocations of cb-vdec and cb-screen.
    package let decodingAllocations = AllocationProbe()
    package let screenAllocations = AllocationProbe()
    private let threads = Mutex<[RealtimeThread]>([])

    package init(display: DeviceSpecifier, registry: DeviceRegistry, state: DeviceState) throws(SystemError) {
        self.display = display
        self.registry = registry
        self.state = state
        frameSignal = try EventSignal()
        pictureSignal = try EventSignal()
    }

    package func start() throws(SystemError) {
        let decoding = try RealtimeThread(
            name: "cb-vdec", priority: .normal, stackBytes: 512 * 1_024, wakeSignal: frameSignal
        ) { stop in
            self.runDecoding(stop)
        }
        threads.withLock { $0.append(decoding) }
        let screen = try RealtimeThread(name: "cb-screen", priority: .normal, wakeSignal: pictureSignal) { stop in
            self.runScreen(stop)
        }
        threads.withLock { $0.append(screen) }
    }

    /// Returns when both threads have ended and the display is closed.
    package func stop() {
        let taken = threads.withLock { handles in
            let taken = handles
            handles = []
            return taken
        }
        for thread in taken { thread.stopAndJoin() }
        sources.withLock { $0 = [] }
    }

    package func add(_ source: VideoSource) {
        sources.withLock { $0.append(source) }
        listVersion.wrappingAdd(1, ordering: .releasing)
        frameSignal.signal()
        pictureSignal.signal()
    }

    package func remove(_ source: VideoSource) {
        sources.withLock { $0.removeAll { $0 === source } }
        listVersion.wrappingAdd(1, ordering: .releasing)
        pictureSignal.signal()
    }

    /// Shows words in a band at the bottom of the screen until the time has come, in place of earlier ones.
    /// - Parameter text: nil or empty takes the band away.
    package func show(text: String?, until end: MonotonicTime) {
        // Follows with TextPicture.
        _ = (text, end)
    }

    package var shownCount: Int { shown.load(ordering: .relaxed) }

    private func runDecoding(_ stop: StopFlag) {
        while !stop.isSet {
            decodingAllocations.record()
            _ = frameSignal.wait(timeoutMilliseconds: 500)
            let current = sources.withLock { $0 }
            // An iterator over objects allocates without optimisation.
            for index in current.indices { current[index].decodeWaitingFrames() }
        }
    }

    private func runScreen(_ stop: StopFlag) {
        var compositor: Compositor?
        var shownVersion = -1
        var device: (any DisplayDevice)?
        var reopenTime = MonotonicTime.zero
        var hasNews = true
        var cameraOff: Picture?
        while !stop.isSet {
            screenAllocations.record()
            if pictureSignal.wait(timeoutMilliseconds: 250) { hasNews = true }
            let now = MonotonicClock.now()
            if device == nil && now >= reopenTime {
                device = open()
                reopenTime = now + VideoPlayback.reopenInterval
                compositor = device.map { Compositor(size: $0.size) }
                shownVersion = -1
                hasNews = true
            }
            guard let open = device, let compositor, hasNews, now >= open.nextPictureTime else { continue }
            hasNews = false
            let version = listVersion.load(ordering: .acquiring)
            let current = sources.withLock { $0 }
            let isNewLayout = version != shownVersion
            if isNewLayout {
                shownVersion = version
                compositor.tileCount = current.count
            }
            for index in current.indices {
                let source = current[index]
                source.advancePicture()
                if source.showsCameraOff {
                    let picture = cameraOff ?? VideoPlayback.makeCameraOff()
                    cameraOff = picture
                    compositor.draw(picture, tile: index)
                } else if let picture = source.shown {
                    compositor.draw(picture, tile: index)
                } else if isNewLayout {
                    compositor.clear(tile: index)
                }
            }
            do throws(DeviceError) {
                try open.show(compositor.picture, at: now)
                shown.wrappingAdd(1, ordering: .relaxed)
            } catch {
                faults.increment()
                state.report(.display, fault: "\(error)")
                open.close()
                device = nil
                reopenTime = now + VideoPlayback.reopenInterval
            }
        }
        device?.close()
    }

    private static func makeCameraOff() -> Picture {
        let picture = Picture(size: PictureSize(width: 320, height: 240))
        PlaceholderPicture.cameraOff.draw(in: picture)
        return picture
    }

    private func open() -> (any DisplayDevice)? {
        do throws(DeviceError) {
            let device = try registry.openDisplay(display)
            state.report(.display, opened: device.name)
            return device
        } catch {
            state.report(.display, fault: "\(error)")
            return nil
        }
    }
}
