import CLineShims
import Glibc
import MediaTypes
import Realtime

/// A GPIO line that is watched, by libgpiod.
final class GPIOInput: LineInput {
    private static let batchLength = 16
    /// A kernel before 5.7 stamps events with another clock: what is this far off is not believed.
    private static let longestDelay = Interval.seconds(10)

    let isDebounced: Bool
    private let name: String
    private var line: OpaquePointer?

    init(_ settings: LineInputSettings, consumer: String) throws(DeviceError) {
        name = settings.address.description
        let made = try GPIODirectory.find(settings.address) { (chip, offset) throws(DeviceError) in
            try chip.requestInput(offset, settings, consumer: consumer)
        }
        line = made.line
        isDebounced = made.isDebounced
    }

    deinit {
        close()
    }

    var fileDescriptor: Int32 { line.map { ccb_gpio_line_descriptor($0) } ?? -1 }

    func isActive(_ index: Int) throws(DeviceError) -> Bool {
        let result = line.map { ccb_gpio_line_get($0) } ?? -ENODEV
        guard result >= 0 else { throw .gone(name: name) }
        return result > 0
    }

    func readEdges() throws(DeviceError) -> [LineEdge] {
        guard let line else { throw .gone(name: name) }
        let now = MonotonicClock.now()
        var edges: [LineEdge] = []
        var count: Int32 = 0
        repeat {
            count = withUnsafeTemporaryAllocation(of: ccb_gpio_event.self, capacity: GPIOInput.batchLength) { events in
                let count = ccb_gpio_line_read_events(line, events.baseAddress, UInt32(events.count))
                for event in events.prefix(Int(max(0, count))) {
                    var time = MonotonicTime(nanoseconds: event.time)
                    if time > now || now - time > GPIOInput.longestDelay { time = now }
                    edges.append(LineEdge(index: 0, isActive: event.is_active != 0, time: time))
                }
                return count
            }
        } while count == GPIOInput.batchLength && edges.count < 1_000
        guard count >= 0 else { throw .gone(name: name) }
        // Interface 1 of the kernel does not tell when its queue of 16 ran over; to ask for the level costs next to
        // nothing.
        if !edges.isEmpty {
            edges.append(
                LineEdge(index: 0, isActive: try isActive(0), time: MonotonicClock.now(), isLevel: true))
        }
        return edges
    }

    func close() {
        guard let line else { return }
        self.line = nil
        ccb_gpio_line_close(line)
    }
}
