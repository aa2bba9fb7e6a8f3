import Calls
import MediaTypes
import Realtime
import Synchronization

/// What `cb-lines` and the other threads of the endpoint tell each other.
final class PanelShared: Sendable {
    struct RelayOrder: Sendable {
        var name: String
        var time: Interval?
    }

    private struct State {
        var indicators: Set<Indicator> = []
        var orders: [RelayOrder] = []
        var statuses: [LineStatus] = []
        /// Of the running thread; nil while there is none.
        var signal: EventSignal?
    }

    private let state = Mutex(State())
    /// How often the thread came back from waiting.
    let wakeCount = Atomic<Int>(0)

    var statuses: [LineStatus] {
        get { state.withLock { $0.statuses } }
        set { state.withLock { $0.statuses = newValue } }
    }

    var isRunning: Bool { state.withLock { $0.signal != nil } }

    func run(_ signal: EventSignal?) {
        state.withLock { state in
            state.signal = signal
            state.orders = []
        }
    }

    func show(_ indicators: Set<Indicator>) {
        state.withLock { state in
            guard indicators != state.indicators else { return }
            state.indicators = indicators
            state.signal?.signal()
        }
    }

    func add(_ order: RelayOrder) {
        state.withLock { state in
            state.orders.append(order)
            state.signal?.signal()
        }
    }

    /// - Thread: `cb-lines`.
    func take() -> (indicators: Set<Indicator>, orders: [RelayOrder]) {
        state.withLock { state in
            defer { state.orders = [] }
            return (state.indicators, state.orders)
        }
    }
}
