import Calls
import Devices
import MediaTypes

/// One LED or relay on `cb-lines`.
final class PanelOutput {
    /// What decides the level.
    enum Driver {
        case light(Light)
        case relay(RelayTimer)
    }

    let name: String
    private let settings: LineOutputSettings
    private var driver: Driver
    private var output: (any LineOutput)?
    /// The level that the line has: it is written only when it changes.
    private var writtenLevel = false
    private(set) var fault = LineFault()
    var retry = LineRetry()

    init(_ led: LEDSettings) {
        name = led.name
        settings = led.line
        driver = .light(Light(led.shows))
    }

    init(_ relay: RelaySettings) {
        name = relay.name
        settings = relay.line
        driver = .relay(RelayTimer(relay.timing))
    }

    var nextDeadline: MonotonicTime {
        guard output != nil else { return retry.time }
        return switch driver {
        case .light(let light): light.nextDeadline
        case .relay(let relay): relay.nextDeadline
        }
    }

    func show(_ indicators: Set<Indicator>, at now: MonotonicTime) {
        guard case .light(var light) = driver else { return }
        light.show(indicators, at: now)
        driver = .light(light)
    }

    /// Pulls the relay; an LED, and a relay whose line is not there, does nothing.
    func pull(for time: Interval?, at now: MonotonicTime) {
        guard output != nil, case .relay(var relay) = driver else { return }
        relay.pull(for: time, at: now)
        driver = .relay(relay)
    }

    func open(_ opener: LineOpener, at now: MonotonicTime) -> [PanelEvent] {
        do throws(DeviceError) {
            output = try opener.openOutput(settings)
            writtenLevel = false
            retry.succeeded()
            return fault.clear() ? [.lineRecovered(name: name)] : []
        } catch {
            return fail(error, at: now)
        }
    }

    /// Brings the line to the level of this time.
    func advance(to now: MonotonicTime) -> [PanelEvent] {
        let level: Bool
        switch driver {
        case .light(var light):
            light.advance(to: now)
            driver = .light(light)
            level = light.isLit
        case .relay(var relay):
            relay.advance(to: now)
            driver = .relay(relay)
            level = relay.isActive
        }
        guard let output, level != writtenLevel else { return [] }
        do throws(DeviceError) {
            try output.setActive(level)
            writtenLevel = level
            return []
        } catch {
            return fail(error, at: now)
        }
    }

    /// Whether it has hardware, which can go.
    var isReal: Bool { !settings.address.isSimulated }

    /// Asks an open output whether it is still there.
    func check(at now: MonotonicTime) -> [PanelEvent] {
        guard let output else { return [] }
        do throws(DeviceError) {
            try output.setActive(writtenLevel)
            return []
        } catch {
            return fail(error, at: now)
        }
    }

    /// Makes the line inactive and gives it back.
    func close(at now: MonotonicTime) {
        if case .relay(var relay) = driver {
            relay.release(at: now)
            driver = .relay(relay)
        }
        output?.close()
        output = nil
        writtenLevel = false
    }

    private func fail(_ error: DeviceError, at now: MonotonicTime) -> [PanelEvent] {
        close(at: now)
        retry.failed(at: now)
        return fault.set(error) ? [.lineFault(name: name, text: error.description)] : []
    }

    var status: LineStatus {
        var status = LineStatus(
            name: name, kind: .relay, place: settings.address.description, isSimulated: settings.address.isSimulated,
            isActive: writtenLevel, fault: fault.text, consumer: fault.consumer)
        if case .light(let light) = driver {
            status.kind = .led
            status.rule = light.rule
        }
        return status
    }
}
