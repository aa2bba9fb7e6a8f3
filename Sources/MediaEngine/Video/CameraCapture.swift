import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// The camera's way to the encoder, on a thread of its own.
///
/// ```
/// camera ─▶ (conversion) ─▶ latest-wins mailbox ─▶ cb-venc
/// ```
/// Of several cameras the first that opens is used. Camera off closes it. A camera that is missing or goes away is replaced by a grey picture with a crossed-out
/// lens, five times a second, and opened again every second.
// @unchecked: the device belongs to cb-camera; what crosses threads is atomic or the mailbox.
package final class CameraCapture: @unchecked Sendable {
    static let reopenInterval = Interval.seconds(1)
    /// A camera that gives nothing for this long is closed and opened again.
    static let stallTime = Interval.seconds(2)

    package let pictures: PictureMailbox
    private let registry: DeviceRegistry
    private let cameras: [DeviceSpecifier]
    private let size: PictureSize
    private let framesPerSecond: Int
    private let isOn = Atomic<Bool>(true)
    private let wakeSignal: EventSignal
    private let captured = Atomic<Int>(0)
    private let faults = Counter("camera.faults")
    private let state: DeviceState
    /// Allocations of cb-camera.
    package let allocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    package init(
        cameras: [DeviceSpecifier], size: PictureSize, framesPerSecond: Int, registry: DeviceRegistry,
        readySignal: EventSignal,
        state: DeviceState
    ) throws(SystemError) {
        self.cameras = cameras
        self.size = size
        self.framesPerSecond = framesPerSecond
        self.registry = registry
        self.state = state
        wakeSignal = try EventSignal()
        pictures = PictureMailbox(size: size, readySignal: readySignal)
    }

    package func start() throws(SystemError) {
        let handle = try RealtimeThread(name: "cb-camera", priority: .normal, wakeSignal: wakeSignal) { stop in
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

    /// Off closes the camera; on opens it.
    package func setOn(_ on: Bool) {
        isOn.store(on, ordering: .relaxed)
        wakeSignal.signal()
    }

    package var capturedCount: Int { captured.load(ordering: .relaxed) }

    private func run(_ stop: StopFlag) {
        var device: (any CameraDevice)?
        var reopenTime = MonotonicTime.zero
        var lastPictureTime = MonotonicTime.zero
        while !stop.isSet {
            allocations.record()
            guard isOn.load(ordering: .relaxed) else {
                if let open = device {
                    open.close()
                    device = nil
                    state.report(.camera, closed: "camera off")
                }
                reopenTime = .zero
                _ = wakeSignal.wait(timeoutMilliseconds: 1_000)
                continue
            }
            let now = MonotonicClock.now()
            if device == nil && now >= reopenTime {
                device = open()
                reopenTime = now + CameraCapture.reopenInterval
                lastPictureTime = now
            }
            guard let open = device else {
                showPlaceholder(at: now)
                _ = wakeSignal.wait(timeoutMilliseconds: 200)
                continue
            }
            do throws(DeviceError) {
                if try open.capture(into: pictures.back, timeoutMilliseconds: 200) {
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
                reopenTime = now + CameraCapture.reopenInterval
            }
        }
        device?.close()
    }

    private func open() -> (any CameraDevice)? {
        var faults: [String] = []
        for camera in cameras {
            do throws(DeviceError) {
                let device = try registry.openCamera(camera, size: size, framesPerSecond: framesPerSecond)
                state.report(.camera, opened: device.name)
                return device
            } catch {
                faults.append("\(error)")
            }
        }
        state.report(.camera, fault: faults.joined(separator: "; "))
        return nil
    }

    private func showPlaceholder(at now: MonotonicTime) {
        let picture = pictures.back
        picture.resize(to: size)
        PlaceholderPicture.draw(in: picture)
        picture.captureTime = now
        pictures.publish()
    }
}
