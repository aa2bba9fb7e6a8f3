import Codecs
import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// Shows everything that is to be seen on the display (`cb-screen`): opens it, composes, and opens it again when it fails.
///
/// ```
/// content, caption (endpoint) ─┐
/// pictures of streams (cb-vdec)┼─▶ ScreenPainter ─▶ what changed ─▶ display
/// preview (cb-camera) ─────────┘   cb-screen
/// ```
// @unchecked: orders are under a mutex; painter and display belong to cb-screen.
package final class ScreenOutput: @unchecked Sendable {
    static let reopenInterval = Interval.seconds(1)

    private struct Orders {
        var content = ScreenContent()
        var caption = ""
        var captionEnd = MonotonicTime.zero
        var sources: [VideoSource] = []
    }

    /// Signalled when there may be something new to show.
    package let pictureSignal: EventSignal
    private let registry: DeviceRegistry
    private let display: DeviceSpecifier
    private let preview: CameraPreview?
    private let orders = Mutex<Orders>(Orders())
    private let orderNumber = Atomic<Int>(0)
    private let shown = Atomic<Int>(0)
    private let faults = Counter("display.faults")
    private let state: DeviceState
    /// Allocations of cb-screen.
    package let allocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    init(
        display: DeviceSpecifier, registry: DeviceRegistry, preview: CameraPreview?, pictureSignal: EventSignal,
        state: DeviceState
    ) {
        self.display = display
        self.registry = registry
        self.preview = preview
        self.pictureSignal = pictureSignal
        self.state = state
    }

    func start() throws(SystemError) {
        let handle = try RealtimeThread(
            name: "cb-screen", priority: .normal, wakeSignal: pictureSignal, patience: Heartbeat.devicePatience
        ) { stop in
            self.run(stop)
        }
        thread.withLock { $0 = handle }
    }

    /// Returns when the thread has ended and the display is closed.
    func stop() {
        thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }?.stopAndJoin()
        orders.withLock { $0.sources = [] }
    }

    // MARK: Orders

    /// What is to be shown besides pictures.
    package func show(_ content: ScreenContent) { change { $0.content = content } }

    /// Shows words in a band at the foot of the screen until the time has come, in place of earlier ones.
    /// - Parameter text: nil or empty takes the band away.
    package func show(text: String?, until end: MonotonicTime) {
        change { orders in
            orders.caption = text ?? ""
            orders.captionEnd = end
        }
    }

    /// The words that are to be read now; nil when there are none.
    package var text: String? {
        let (caption, end) = orders.withLock { ($0.caption, $0.captionEnd) }
        return caption.isEmpty || MonotonicClock.now() >= end ? nil : caption
    }

    func add(_ source: VideoSource) { change { $0.sources.append(source) } }

    func remove(_ source: VideoSource) { change { $0.sources.removeAll { $0 === source } } }

    private func change(_ act: @Sendable (inout Orders) -> Void) {
        orders.withLock { act(&$0) }
        orderNumber.wrappingAdd(1, ordering: .releasing)
        pictureSignal.signal()
    }

    /// Pictures that the display was given.
    package var shownCount: Int { shown.load(ordering: .relaxed) }

    // MARK: The thread

    private func run(_ stop: StopFlag) {
        var device: (any DisplayDevice)?
        var painter: ScreenPainter?
        var reopenTime = MonotonicTime.zero
        var hasNews = true
        var knownOrders = -1
        var captionEnd = MonotonicTime.distantFuture
        while !stop.isSet {
            allocations.record()
            if pictureSignal.wait(timeoutMilliseconds: 250) { hasNews = true }
            let now = MonotonicClock.now()
            if device == nil && now >= reopenTime {
                device = open()
                reopenTime = now + ScreenOutput.reopenInterval
                painter = nil
            }
            guard let open = device else { continue }
            do throws(DeviceError) {
                if try open.look(at: now) { painter = nil }
                let current = painter ?? ScreenPainter(size: open.size, preview: preview)
                if painter == nil {
                    painter = current
                    knownOrders = -1
                    hasNews = true
                }
                let number = orderNumber.load(ordering: .acquiring)
                if number != knownOrders || now >= captionEnd {
                    knownOrders = number
                    captionEnd = follow(current, at: now)
                    hasNews = true
                }
                guard hasNews, now >= open.nextPictureTime else { continue }
                hasNews = false
                current.draw()
                guard current.compositor.hasChanges else { continue }
                try open.show(current.compositor.picture, changes: current.compositor.changes, at: now)
                current.compositor.forgetChanges()
                shown.wrappingAdd(1, ordering: .relaxed)
            } catch {
                faults.increment()
                state.report(.display, fault: "\(error)")
                open.close()
                device = nil
                painter = nil
                preview?.setScreen(nil)
                reopenTime = now + ScreenOutput.reopenInterval
            }
        }
        preview?.setScreen(nil)
        device?.close()
    }

    /// Carries the orders out.
    /// - Returns: when the words at the foot go.
    private func follow(_ painter: ScreenPainter, at now: MonotonicTime) -> MonotonicTime {
        let current = orders.withLock { $0 }
        painter.arrange(current.content, sources: current.sources)
        let hasCaption = !current.caption.isEmpty && now < current.captionEnd
        painter.setCaption(hasCaption ? current.caption : nil)
        return hasCaption ? current.captionEnd : .distantFuture
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
