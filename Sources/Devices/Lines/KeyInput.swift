import CLineShims
import Glibc
import MediaTypes
import Realtime

/// Some keys of an input device.
final class KeyInput: LineInput {
    private static let batchLength = 64

    private let name: String
    private let keys: [KeyCode]
    private var device: KeyDevice?

    init(device name: String, keys: [KeyCode], isGrabbed: Bool) throws(DeviceError) {
        self.name = name
        self.keys = keys
        let opened = try KeyDirectory.open(name, keys: keys)
        // An old kernel wakes this thread also for what is not asked for.
        _ = ccb_input_keys_only(opened.descriptor)
        if isGrabbed {
            let result = ccb_input_grab(opened.descriptor, 1)
            if result == -EBUSY { throw .busy(name: name, holder: nil) }
            guard result >= 0 else { throw .system(name: name, operation: "take for oneself", code: -result) }
        }
        device = opened
    }

    var fileDescriptor: Int32 { device?.descriptor ?? -1 }
    /// Most keyboards and `gpio-keys` do it themselves, but not all.
    var isDebounced: Bool { false }

    func isActive(_ index: Int) throws(DeviceError) -> Bool {
        try pressedKeys().contains(keys[index].number)
    }

    func readEdges() throws(DeviceError) -> [LineEdge] {
        var edges: [LineEdge] = []
        var hasOverflowed = false
        var count: Int32 = 0
        let descriptor = fileDescriptor
        repeat {
            count = withUnsafeTemporaryAllocation(of: ccb_key_event.self, capacity: KeyInput.batchLength) { events in
                var overflowed: Int32 = 0
                let count = ccb_input_read(descriptor, events.baseAddress, UInt32(events.count), &overflowed)
                hasOverflowed = hasOverflowed || overflowed != 0
                for event in events.prefix(Int(max(0, count))) {
                    guard let index = keys.firstIndex(where: { $0.number == Int(event.code) }) else { continue }
                    edges.append(
                        LineEdge(
                            index: index, isActive: event.is_down != 0, time: MonotonicTime(nanoseconds: event.time)))
                }
                return count
            }
        } while count > 0 && edges.count < 1_000
        guard count >= 0 else { throw .gone(name: name) }
        if hasOverflowed {
            let pressed = try pressedKeys()
            let now = MonotonicClock.now()
            for (index, key) in keys.enumerated() {
                edges.append(
                    LineEdge(index: index, isActive: pressed.contains(key.number), time: now, isLevel: true))
            }
        }
        return edges
    }

    func close() {
        device = nil
    }

    private func pressedKeys() throws(DeviceError) -> Set<Int> {
        guard let pressed = device?.pressedKeys else { throw .gone(name: name) }
        return pressed
    }
}
