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

    private struct CaptionOrder {
        var text: String
        var end: MonotonicTime
    }

    package let frameSignal: EventSignal
    package let pictureSignal: EventSignal
    private let registry: DeviceRegistry
    private let display: DeviceSpecifier
    private let sources = Mutex<[VideoSource]>([])
    private let listVersion = Atomic<Int>(0)
    private let captionOrder = Mutex<CaptionOrder>(CaptionOrder(text: "", end: .zero))
    private let captionVersion = Atomic<Int>(0)
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
        let screen = try RealtimeThread(
            name: "cb-screen", priority: .normal, wakeSignal: pictureSignal, patience: Heartbeat.devicePatience
        ) { stop in
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
        captionOrder.withLock { $0 = CaptionOrder(text: text ?? "", end: end) }
        captionVersion.wrappingAdd(1, ordering: .releasing)
        pictureSignal.signal()
    }

    /// The words that are to be read now; nil when there are none.
    package var text: String? {
        let order = captionOrder.withLock { $0 }
        return order.text.isEmpty || MonotonicClock.now() >= order.end ? nil : order.text
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
        var caption: Picture?
        var captionEnd = MonotonicTime.distantFuture
        var knownCaption = 0
        while !stop.isSet {
            screenAllocations.record()
            if pictureSignal.wait(timeoutMilliseconds: 250) { hasNews = true }
            let now = MonotonicClock.now()
            if device == nil && now >= reopenTime {
                device = open()
                reopenTime = now + VideoPlayback.reopenInterval
                compositor = device.map { Compositor(size: $0.size) }
                shownVersion = -1
                knownCaption = -1
                hasNews = true
            }
            if let open = device {
                do throws(DeviceError) {
                    if try open.look(at: now) {
                        compositor = Compositor(size: open.size)
                        shownVersion = -1
                        knownCaption = -1
                        hasNews = true
                    }
                } catch {
                    faults.increment()
                    state.report(.display, fault: "\(error)")
                    open.close()
                    device = nil
                    reopenTime = now + VideoPlayback.reopenInterval
                }
            }
            let captionNumber = captionVersion.load(ordering: .acquiring)
            if let compositor, captionNumber != knownCaption || now >= captionEnd {
                knownCaption = captionNumber
                let order = captionOrder.withLock { $0 }
                caption = now < order.end ? makeCaption(order.text, screen: compositor.picture.size) : nil
                captionEnd = caption == nil ? .distantFuture : order.end
                compositor.reset()
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
            if let caption {
                compositor.picture.paste(caption, x: 0, y: (compositor.picture.size.height - caption.size.height) & ~1)
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

    private func makeCaption(_ text: String, screen: PictureSize) -> Picture? {
        guard !text.isEmpty else { return nil }
        do throws(CodecError) {
            return try TextPicture.band(of: text, screen: screen)
        } catch {
            faults.increment()
            Log.warning(
                "display", "no text can be shown: \(error == .file(code: 0) ? "no font is installed" : "\(error)")")
            return nil
        }
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
