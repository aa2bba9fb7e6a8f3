/// The GPIO chips of this machine.
enum GPIODirectory {
    /// Runs the body with the chip and the number of a line.
    static func find<Found>(
        _ address: LineAddress, _ body: (GPIOChip, Int) throws(DeviceError) -> Found
    ) throws(DeviceError) -> Found {
        if let path = address.chip, path.hasPrefix("/") {
            let chip = try GPIOChip(path: path, name: address.description)
            guard let offset = chip.offset(of: address.line) else { throw noLine(address, chip) }
            return try body(chip, offset)
        }
        var problem: DeviceError?
        for path in paths() {
            let chip: GPIOChip
            do throws(DeviceError) {
                chip = try GPIOChip(path: path, name: address.description)
            } catch {
                if case .notPermitted = error { problem = problem ?? error }
                continue
            }
            if let name = address.chip {
                guard chip.name == name || chip.label == name else { continue }
            } else if Int(address.line) != nil {
                throw .unsupported(name: address.description, reason: "a line's number needs its chip")
            }
            // Chips may share a label: one of them has the line.
            if let offset = chip.offset(of: address.line) { return try body(chip, offset) }
            if address.chip != nil { problem = problem ?? noLine(address, chip) }
        }
        throw problem ?? .missing(name: address.description)
    }

    /// Every chip, for `callbox devices`.
    static func listings() -> [DeviceListing] {
        paths().map { path in
            do throws(DeviceError) {
                let chip = try GPIOChip(path: path, name: path)
                let lines = (0..<chip.lineCount).compactMap { chip.line($0) }
                return DeviceListing(
                    kind: .gpio, specifier: chip.label, summary: "\(chip.name), \(chip.lineCount) lines",
                    details: lines.filter { $0.name != nil || $0.consumer != nil }.map(summary))
            } catch {
                return DeviceListing(
                    kind: .gpio, specifier: path, summary: "a GPIO chip", problem: error.description)
            }
        }
    }

    /// `3 BTN_CALL input, used by callbox`
    static func summary(_ line: GPIOLineInfo) -> String {
        var text = "\(line.offset)"
        if let name = line.name { text += " \(name)" }
        text += line.isOutput ? " output" : " input"
        if let consumer = line.consumer { text += ", used by \(consumer)" }
        return text
    }

    private static func paths() -> [String] {
        let numbers = (DirectoryListing.names(in: "/dev") ?? []).compactMap { name in
            name.hasPrefix("gpiochip") ? Int(name.dropFirst("gpiochip".count)) : nil
        }
        return numbers.sorted().map { "/dev/gpiochip\($0)" }
    }

    private static func noLine(_ address: LineAddress, _ chip: GPIOChip) -> DeviceError {
        .unsupported(name: address.description, reason: "\(chip.name) (\(chip.label)) has no line '\(address.line)'")
    }
}
