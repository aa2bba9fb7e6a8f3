import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// The camera's way to the encoder, on a thread of its own.
///
/// ```
/// camera ─▶ (conversion) ─▶ (scaling to the stream's size) ─▶ latest-wins mailbox ─▶ cb-venc
/// ```
/// Of several cameras the first that opens is used, and `switchCamera` goes on to the next. The first camera that opens
/// gives the stream its size; a picture of another size is fitted into it, so that a switch changes nothing but the
/// picture. A camera that is missing or goes away is replaced by a grey picture with a crossed-out lens, five times a
/// second, and opened again every second. A closed camera (`setOpen`, `setOn`) gives no picture at all.
// @unchecked: the device belongs to cb-camera; what crosses threads is atomic, under a mutex or the mailbox.
package final class CameraCapture: @unchecked Sendable {
    static let reopenInterval = Interval.seconds(1)
    /// A camera that gives nothing for this long is closed and opened again.
    static let stallTime = Interval.seconds(2)
    /// No camera of the list is open.
    private static let noCamera = -1
    /// `wantedCamera` when a switch without a goal goes on in the list.
    private static let anyNext = -1

    /// The pictures for the encoder. The upper bits of a picture's number say how often a camera was opened before it:
    /// when they change, the scene does.
    package let pictures: PictureMailbox
    /// Cameras by the names of the configuration, in their order.
    package let cameraNames: [String]
    private let registry: DeviceRegistry
    private let cameras: [DeviceSpecifier]
    private let size: PictureSize
    private let framesPerSecond: Int
    /// For one's own screen; nil: there is none, or it is not wanted.
    private let preview: CameraPreview?
    private let isOpenWanted = Atomic<Bool>(true)
    private let isSwitchedOn = Atomic<Bool>(true)
    private let switchCount = Atomic<Int>(0)
    private let wantedCamera = Atomic<Int>(CameraCapture.anyNext)
    private let openCamera = Atomic<Int>(CameraCapture.noCamera)
    private let wakeSignal: EventSignal
    private let captured = Atomic<Int>(0)
    private let faults = Counter("camera.faults")
    private let state: DeviceState
    /// Allocations of cb-camera.
    package let allocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    package init(
        cameras: [DeviceSpecifier], size: PictureSize, framesPerSecond: Int, registry: DeviceRegistry,
        readySignal: EventSignal, preview: CameraPreview? = nil, state: DeviceState
    ) throws(SystemError) {
        self.cameras = cameras
        cameraNames = cameras.map(\.text)
        self.size = size
        self.framesPerSecond = framesPerSecond
        self.registry = registry
        self.preview = preview
        self.state = state
        wakeSignal = try EventSignal()
        pictures = PictureMailbox(size: size, readySignal: readySignal)
    }

    package func start() throws(SystemError) {
        let handle = try RealtimeThread(
            name: "cb-camera", priority: .normal, wakeSignal: wakeSignal, patience: Heartbeat.devicePatience
        ) { stop in
            self.run(stop)
        }
        thread.withLock { $0 = handle }
    }

    /// Returns when the thread has ended and the camera is closed.
    package func stop() {
        thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }?.stopAndJoin()
    }

    /// For the endpoint: whether a camera is needed at all. It is open when it is needed and switched on; both are so
    /// before the first call, which may come before `start`.
    package func setOpen(_ open: Bool) {
        isOpenWanted.store(open, ordering: .relaxed)
        wakeSignal.signal()
    }

    /// For the person: off closes the camera and sends no pictures, on opens it.
    package func setOn(_ on: Bool) {
        isSwitchedOn.store(on, ordering: .relaxed)
        wakeSignal.signal()
    }

    /// Goes on to another camera: its picture is sent, beginning with a key frame, as soon as it opens.
    ///
    /// One that does not open is passed over for the one after it, at last for the one before the switch; what was
    /// wrong is reported with the device's state. While the camera is closed the switch only says which one opens next.
    /// - Parameter index: in `cameraNames`; nil is the next of the list, after the last one the first.
    package func switchCamera(to index: Int? = nil) {
        if let index {
            guard cameras.indices.contains(index) else { return }
            wantedCamera.store(index, ordering: .relaxed)
        } else {
            wantedCamera.store(CameraCapture.anyNext, ordering: .relaxed)
        }
        switchCount.wrappingAdd(1, ordering: .releasing)
        wakeSignal.signal()
    }

    /// Whether the person has it on; it need not be open.
    package var isOn: Bool { isSwitchedOn.load(ordering: .relaxed) }
    package var isOpen: Bool { isOpenWanted.load(ordering: .relaxed) && isOn }
    /// The camera that is open now, by its name in the configuration.
    package var currentCamera: String? {
        let index = openCamera.load(ordering: .relaxed)
        return index == CameraCapture.noCamera ? nil : cameraNames[index]
    }
    package var capturedCount: Int { captured.load(ordering: .relaxed) }

    private func run(_ stop: StopFlag) {
        var selection = CameraSelection(count: cameras.count)
        var device: (any CameraDevice)?
        var fitting = PictureFitting(size: size)
        var reopenTime = MonotonicTime.zero
        var lastPictureTime = MonotonicTime.zero
        var knownSwitchCount = 0
        var openings: Int64 = 0
        while !stop.isSet {
            allocations.record()
            let switches = switchCount.load(ordering: .acquiring)
            if switches != knownSwitchCount {
                knownSwitchCount = switches
                let wanted = wantedCamera.load(ordering: .relaxed)
                if cameras.count > 1 && selection.choose(wanted == CameraCapture.anyNext ? nil : wanted) {
                    device?.close()
                    device = nil
                    reopenTime = .zero
                }
            }
            preview?.setOpen(isOpen && device != nil)
            guard isOpen else {
                if device != nil {
                    device?.close()
                    device = nil
                    openCamera.store(CameraCapture.noCamera, ordering: .relaxed)
                }
                state.report(.camera, closed: isOn ? "not needed now" : "camera off")
                reopenTime = .zero
                _ = wakeSignal.wait(timeoutMilliseconds: -1)
                continue
            }
            let now = MonotonicClock.now()
            if device == nil && now >= reopenTime {
                device = open(&selection)
                if let device {
                    openings += 1
                    fitting.begin(with: device.size)
                }
                reopenTime = MonotonicClock.now() + CameraCapture.reopenInterval
                lastPictureTime = now
            }
            guard let open = device else {
                showPlaceholder(size: fitting.size, at: now, openings: openings)
                _ = wakeSignal.wait(timeoutMilliseconds: 200)
                continue
            }
            do throws(DeviceError) {
                let target = pictures.back
                if try open.capture(into: fitting.captureTarget(for: target), timeoutMilliseconds: 200) {
                    fitting.finish(target)
                    preview?.offer(target, at: now)
                    target.number = VideoEncoding.number(target.number, openings: openings)
                    captured.wrappingAdd(1, ordering: .relaxed)
                    lastPictureTime = now
                    pictures.publish()
                } else if now - lastPictureTime > CameraCapture.stallTime {
                    throw .gone(name: open.name)
                }
            } catch {
                faults.increment()
                state.report(.camera, fault: "\(error)")
                open.close()
                device = nil
                openCamera.store(CameraCapture.noCamera, ordering: .relaxed)
                reopenTime = now + CameraCapture.reopenInterval
            }
        }
        device?.close()
        openCamera.store(CameraCapture.noCamera, ordering: .relaxed)
    }

    /// Opens the first camera of the selection's order that can be opened.
    private func open(_ selection: inout CameraSelection) -> (any CameraDevice)? {
        var faults: [String] = []
        for index in selection.order {
            do throws(DeviceError) {
                let device = try registry.openCamera(
                    cameras[index], size: size, framesPerSecond: framesPerSecond)
                let isSwitchFailed = selection.opened(index)
                openCamera.store(index, ordering: .relaxed)
                if isSwitchFailed {
                    state.report(
                        .camera, opened: device.name, fault: "cannot switch: \(faults.joined(separator: "; "))")
                } else {
                    state.report(.camera, opened: device.name)
                }
                return device
            } catch {
                faults.append("\(error)")
            }
        }
        openCamera.store(CameraCapture.noCamera, ordering: .relaxed)
        state.report(.camera, fault: faults.joined(separator: "; "))
        return nil
    }

    private func showPlaceholder(size: PictureSize, at now: MonotonicTime, openings: Int64) {
        let picture = pictures.back
        picture.resize(to: size)
        PlaceholderPicture.noCamera.draw(in: picture)
        picture.captureTime = now
        picture.number = VideoEncoding.number(0, openings: openings)
        pictures.publish()
    }
}
