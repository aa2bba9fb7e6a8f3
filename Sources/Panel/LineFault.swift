import Devices

/// What is wrong with a line, and whether that is news.
struct LineFault: Sendable {
    private(set) var text: String?
    private(set) var consumer: String?
    private var error: DeviceError?

    /// - Returns: whether it was not known.
    mutating func set(_ error: DeviceError) -> Bool {
        // What was unplugged is missing from then on, which is no news.
        if case .missing = error, case .gone = self.error { return false }
        let new = error.description
        if case .busy(_, let holder) = error { consumer = holder } else { consumer = nil }
        guard new != text else { return false }
        text = new
        self.error = error
        return true
    }

    /// - Returns: whether there was a fault.
    mutating func clear() -> Bool {
        defer { self = LineFault() }
        return text != nil
    }
}
