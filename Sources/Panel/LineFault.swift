import Devices

/// What is wrong with a line, and whether that is news.
struct LineFault: Hashable, Sendable {
    private(set) var text: String?
    private(set) var consumer: String?

    /// - Returns: whether it was not known.
    mutating func set(_ error: DeviceError) -> Bool {
        let new = error.description
        if case .busy(_, let holder) = error { consumer = holder } else { consumer = nil }
        guard new != text else { return false }
        text = new
        return true
    }

    /// - Returns: whether there was a fault.
    mutating func clear() -> Bool {
        defer { self = LineFault() }
        return text != nil
    }
}
