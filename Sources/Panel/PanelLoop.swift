import Calls
import Devices
import Glibc
import MediaTypes
import Realtime
import Telemetry

/// The work of `cb-lines`: waits for edges, orders and deadlines, and for nothing else.
///
/// ```
/// orders ─▶ ┐                                    ┌─▶ events
/// edges  ─▶ ├─ open what is due ─ gestures ──────┤
/// times  ─▶ ┘                     levels ────────┴─▶ lines, when a level changes
/// ```
final class PanelLoop {
    private let shared: PanelShared
    private let opener: LineOpener
    private let signal: EventSignal
    private let onEvent: @Sendable (PanelEvent) -> Void
    private let inputs: [PanelInput]
    private let outputs: [PanelOutput]
    /// In the order of the settings.
    private let buttonNames: [String]
    /// While a line is missing, and for lines that can go.
    private var arrivals: DeviceArrivals?

    init(
        settings: PanelSettings, shared: PanelShared, opener: LineOpener, signal: EventSignal,
        onEvent: @escaping @Sendable (PanelEvent) -> Void
    ) {
        self.shared = shared
        self.opener = opener
        self.signal = signal
        self.onEvent = onEvent
        inputs = PanelInput.all(settings.buttons)
        outputs = settings.leds.map { PanelOutput($0) } + settings.relays.map { PanelOutput($0) }
        buttonNames = settings.buttons.map(\.name)
    }

    func run(until stop: StopFlag) {
        while !stop.isSet {
            serve(at: MonotonicClock.now())
            wait()
        }
        let now = MonotonicClock.now()
        // Relays first: whatever follows, the door is shut.
        for output in outputs { output.close(at: now) }
        for input in inputs { input.close(at: now) }
        deliverButtons()
        publish()
    }

    private func serve(at now: MonotonicTime) {
        let (indicators, orders) = shared.take()
        for input in inputs {
            if input.retry.time <= now { deliver(input.open(opener, at: now)) }
            for button in input.buttons { button.advance(to: now) }
        }
        for output in outputs {
            if output.retry.time <= now { deliver(output.open(opener, at: now)) }
            output.show(indicators, at: now)
            for order in orders where order.name == output.name { output.pull(for: order.time, at: now) }
            deliver(output.advance(to: now))
        }
        publish()
        deliverButtons()
    }

    /// Waits, and reads what came. Edges are read before time goes on, so that a late thread changes no gesture.
    private func wait() {
        let open = inputs.filter { $0.input != nil }
        var entries = open.map { pollfd(fd: $0.input?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0) }
        entries.append(pollfd(fd: signal.fileDescriptor, events: Int16(POLLIN), revents: 0))
        watchForArrivals()
        // A negative descriptor is none.
        entries.append(pollfd(fd: arrivals?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0))
        let result = poll(&entries, nfds_t(entries.count), timeout())
        shared.wakeCount.wrappingAdd(1, ordering: .relaxed)
        guard result > 0 else { return }
        if entries[open.count].revents != 0 { signal.drain() }
        let now = MonotonicClock.now()
        if entries[open.count + 1].revents != 0 {
            arrivals?.drain()
            for input in inputs { input.retry.somethingArrived(at: now) }
            for output in outputs { output.retry.somethingArrived(at: now) }
            for input in inputs { deliver(input.check(at: now)) }
            for output in outputs { deliver(output.check(at: now)) }
        }
        for (index, input) in open.enumerated() where entries[index].revents != 0 {
            let isBroken = entries[index].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
            deliver(input.read(isBroken: isBroken, at: now))
        }
    }

    private func watchForArrivals() {
        guard
            inputs.contains(where: { $0.isReal || $0.retry.isWaiting })
                || outputs.contains(where: { $0.isReal || $0.retry.isWaiting })
        else {
            arrivals = nil
            return
        }
        if arrivals == nil { arrivals = DeviceArrivals() }
    }

    /// Milliseconds to the next deadline, rounded up: a wait that ends too early would be done twice.
    private func timeout() -> Int32 {
        var deadline = MonotonicTime.distantFuture
        for input in inputs { deadline = min(deadline, input.nextDeadline) }
        for output in outputs { deadline = min(deadline, output.nextDeadline) }
        guard deadline != .distantFuture else { return -1 }
        let nanoseconds = (deadline - MonotonicClock.now()).nanoseconds
        return Int32(clamping: max(0, (nanoseconds + 999_999) / 1_000_000))
    }

    private func deliverButtons() {
        for input in inputs {
            for button in input.buttons {
                while let event = button.pollEvent() { deliver([event]) }
            }
        }
    }

    private func deliver(_ events: [PanelEvent]) {
        for event in events {
            switch event {
            case .lineFault(let name, let text): Log.warning("panel", "\(name): \(text)")
            case .lineRecovered(let name): Log.notice("panel", "\(name): in use")
            case .stuck(let button): Log.warning("panel", "\(button): the button is stuck")
            case .released(let button): Log.notice("panel", "\(button): the stuck button was released")
            case .gesture: break
            }
            onEvent(event)
        }
    }

    private func publish() {
        var statuses = inputs.flatMap { input in input.buttons.map { $0.status(input.fault) } }
        if statuses.count > 1 {
            statuses = buttonNames.compactMap { name in statuses.first { $0.name == name } }
        }
        shared.statuses = statuses + outputs.map(\.status)
    }
}
