import Devices
import MediaTypes

/// The buttons behind one descriptor: one on a GPIO line, or all on one input device.
final class PanelInput {
    let buttons: [PanelButton]
    private(set) var input: (any LineInput)?
    private(set) var fault = LineFault()
    var retry = LineRetry()

    init(_ buttons: [PanelButton]) {
        self.buttons = buttons
    }

    /// GPIO buttons have a line each; buttons of one device share it, because a grabbed device speaks to one reader.
    static func all(_ settings: [ButtonSettings]) -> [PanelInput] {
        var inputs: [PanelInput] = []
        var devices: [String: [PanelButton]] = [:]
        for button in settings {
            switch button.source {
            case .line: inputs.append(PanelInput([PanelButton(button)]))
            case .key(_, let device, _): devices[device, default: []].append(PanelButton(button))
            }
        }
        return inputs + devices.sorted { $0.key < $1.key }.map { PanelInput($0.value) }
    }

    var nextDeadline: MonotonicTime {
        buttons.reduce(retry.time) { min($0, $1.gestures.nextDeadline) }
    }

    /// - Returns: what is news.
    func open(_ opener: LineOpener, at now: MonotonicTime) -> [PanelEvent] {
        do throws(DeviceError) {
            let opened = try openLine(opener)
            for (index, button) in buttons.enumerated() {
                button.open(level: try opened.isActive(index), isDebounced: opened.isDebounced, at: now)
            }
            input = opened
            retry.succeeded()
            return fault.clear() ? buttons.map { .lineRecovered(name: $0.settings.name) } : []
        } catch {
            return fail(error, at: now)
        }
    }

    /// Hands what waits to the buttons.
    /// - Parameter isBroken: `poll` said that the descriptor is dead.
    func read(isBroken: Bool, at now: MonotonicTime) -> [PanelEvent] {
        guard let input else { return [] }
        do throws(DeviceError) {
            for edge in try input.readEdges() {
                buttons[edge.index].receive(isActive: edge.isActive, isLevel: edge.isLevel, at: edge.time)
            }
            guard !isBroken else { throw .gone(name: buttons[0].settings.place) }
            return []
        } catch {
            return fail(error, at: now)
        }
    }

    /// Whether it has hardware, which can go.
    var isReal: Bool { !buttons[0].settings.isSimulated }

    /// Asks an open input whether it is still there.
    func check(at now: MonotonicTime) -> [PanelEvent] {
        guard let input else { return [] }
        do throws(DeviceError) {
            for index in buttons.indices { _ = try input.isActive(index) }
            return []
        } catch {
            return fail(error, at: now)
        }
    }

    func close(at now: MonotonicTime) {
        input?.close()
        input = nil
        for button in buttons { button.lose(at: now) }
    }

    private func fail(_ error: DeviceError, at now: MonotonicTime) -> [PanelEvent] {
        close(at: now)
        retry.failed(at: now)
        guard fault.set(error) else { return [] }
        return buttons.map { .lineFault(name: $0.settings.name, text: error.description) }
    }

    private func openLine(_ opener: LineOpener) throws(DeviceError) -> any LineInput {
        let first = buttons[0].settings
        switch first.source {
        case .line(var line):
            line.debounce = first.timing.debounce
            return try opener.openInput(line)
        case .key(_, let device, _):
            var keys: [KeyCode] = []
            var isGrabbed = false
            for button in buttons {
                guard case .key(let key, _, let grabs) = button.settings.source else { continue }
                keys.append(key)
                isGrabbed = isGrabbed || grabs
            }
            return try opener.openKeys(keys, ofDevice: device, isGrabbed: isGrabbed)
        }
    }
}
