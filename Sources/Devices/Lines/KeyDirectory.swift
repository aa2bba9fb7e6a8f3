import MediaTypes

/// The input devices of this machine.
enum KeyDirectory {
    private static let folder = "/dev/input"

    /// Opens the device with this name, path, `by-id` name or location that has the keys: a USB keypad is often several
    /// devices of one name.
    static func open(_ device: String, keys: [KeyCode]) throws(DeviceError) -> KeyDevice {
        if let path = path(of: device) {
            let opened = try KeyDevice(path: path, name: device)
            if let problem = missing(keys, of: opened, device) { throw problem }
            return opened
        }
        var problem: DeviceError?
        for path in paths() {
            do throws(DeviceError) {
                let opened = try KeyDevice(path: path, name: device)
                guard opened.name == device || opened.location == device else { continue }
                guard let missing = missing(keys, of: opened, device) else { return opened }
                problem = missing
            } catch {
                if case .notPermitted = error { problem = problem ?? error }
            }
        }
        throw problem ?? .missing(name: device)
    }

    /// Every device with keys, for `callbox devices`.
    static func listings() -> [DeviceListing] {
        paths().compactMap { path in
            do throws(DeviceError) {
                let device = try KeyDevice(path: path, name: path)
                guard let keys = device.keys, !keys.isEmpty else { return nil }
                let place = device.location.isEmpty ? path : "\(path) at \(device.location)"
                return DeviceListing(
                    kind: .keys, specifier: device.name, summary: place,
                    details: summary(keys.sorted().compactMap { KeyCode(number: $0) }))
            } catch {
                return DeviceListing(kind: .keys, specifier: path, summary: "", problem: error.description)
            }
        }
    }

    /// The names in lines of 80 characters, at most 10: nobody looks for the keys of a whole keyboard.
    static func summary(_ keys: [KeyCode]) -> [String] {
        var lines: [String] = []
        var line = ""
        for (index, key) in keys.enumerated() {
            if line.utf8.count + key.name.utf8.count >= 80 {
                lines.append(line)
                line = ""
                if lines.count == 10 { return lines + ["and \(keys.count - index) more"] }
            }
            line += line.isEmpty ? key.name : " \(key.name)"
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func missing(_ keys: [KeyCode], of device: KeyDevice, _ name: String) -> DeviceError? {
        guard let existing = device.keys else { return .gone(name: name) }
        guard let key = keys.first(where: { !existing.contains($0.number) }) else { return nil }
        return .unsupported(name: name, reason: "it has no key \(key.name)")
    }

    private static func path(of device: String) -> String? {
        if device.hasPrefix("/") { return device }
        let link = "\(folder)/by-id/\(device)"
        return !device.contains("/") && DirectoryListing.resolved(link) != nil ? link : nil
    }

    private static func paths() -> [String] {
        let numbers = (DirectoryListing.names(in: folder) ?? []).compactMap { name in
            name.hasPrefix("event") ? Int(name.dropFirst("event".count)) : nil
        }
        return numbers.sorted().map { "\(folder)/event\($0)" }
    }
}
