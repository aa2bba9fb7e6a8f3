import MediaTypes
import PeerConnection
import Realtime
import Telemetry

/// Tells the supervisor of changes of the network and of the wall clock.
///
/// ```
/// rtnetlink ─▶ NetworkWatcher ─▶ networkChanged   merged: 50 … 250 ms after the change
/// timerfd   ─▶ ClockWatcher   ─▶ clockSet
/// ```
/// Without them the endpoint still works, and notices such changes by its time-outs.
/// - Thread: `cb-net`, which waits anyway: no thread of its own.
// @unchecked: confined to cb-net by every caller posting to the loop.
final class SystemWatch: @unchecked Sendable {
    private let loop: NetworkLoop
    private let report: @Sendable (EndpointEvent) -> Void
    private var readers: [NetworkReader] = []
    private var timer: NetworkTimer?

    init(loop: NetworkLoop, report: @escaping @Sendable (EndpointEvent) -> Void) {
        self.loop = loop
        self.report = report
    }

    /// `stop()` must follow.
    func start() {
        do throws(SystemError) {
            try watchNetwork()
            try watchClock()
        } catch {
            Log.warning("network", "changes of network and clock are not all watched: \(error)")
        }
    }

    /// Nothing is reported afterwards.
    func stop() {
        for reader in readers { reader.cancel() }
        readers = []
        timer?.cancel()
        timer = nil
    }

    private func watchNetwork() throws(SystemError) {
        let network = try NetworkWatcher()
        let report = self.report
        let timer = loop.makeTimer { [unowned self] in
            let changes = network.changes(at: MonotonicClock.now())
            if !changes.isEmpty { report(.networkChanged(changes)) }
            self.timer?.set(network.nextDeadline)
        }
        self.timer = timer
        readers.append(
            loop.addReader(fileDescriptor: network.fileDescriptor) {
                network.receive(at: MonotonicClock.now())
                timer.set(network.nextDeadline)
            })
    }

    private func watchClock() throws(SystemError) {
        let clock = try ClockWatcher()
        let report = self.report
        readers.append(
            loop.addReader(fileDescriptor: clock.fileDescriptor) {
                if clock.wasSet() { report(.clockSet) }
            })
    }
}
