import Glibc

/// Why a device cannot be opened or stopped working, in words for the person at the board.
///
/// The device name is the one of the specifier, so that the message can be matched with the configuration.
package enum DeviceError: Error, Equatable, Sendable {
    /// There is no such device now; it may come later.
    case missing(name: String)
    /// The card is there, but no screen is plugged into it; one may come later. `place` is the card, or the connector.
    case noScreen(name: String, place: String)
    /// Another program has it open; `holder` names that program where `/proc` tells.
    case busy(name: String, holder: String?)
    /// The user this process runs as may not open it; `hint` says what would help.
    case notPermitted(name: String, hint: String)
    /// It was there and was unplugged or torn down. The handle is dead: close it, and open again later.
    case gone(name: String)
    /// It is there, but has moved no data for its time limit (about a second). Close it, and open again.
    case stalled(name: String)
    /// It cannot do what is asked, or the specifier makes no sense.
    case unsupported(name: String, reason: String)
    /// The file behind a simulated device is not what it should be.
    case invalidFile(path: String, reason: String)
    /// A system call failed with `code` (an `errno` value).
    case system(name: String, operation: String, code: Int32)
}

extension DeviceError: CustomStringConvertible {
    /// One plain sentence without a full stop.
    package var description: String {
        switch self {
        case .missing(let name): "there is no device '\(name)'"
        case .noScreen(let name, let place): "'\(name)': no screen is connected to \(place)"
        case .busy(let name, let holder?): "'\(name)' is in use by \(holder)"
        case .busy(let name, nil): "'\(name)' is in use by another program"
        case .notPermitted(let name, let hint): "'\(name)' may not be opened: \(hint)"
        case .gone(let name): "'\(name)' is gone: unplugged or shut down"
        case .stalled(let name): "'\(name)' has stopped delivering data"
        case .unsupported(let name, let reason): "'\(name)' cannot be used: \(reason)"
        case .invalidFile(let path, let reason): "file '\(path)': \(reason)"
        case .system(let name, let operation, let code):
            "'\(name)': \(operation) failed: \(DeviceError.text(ofCode: code))"
        }
    }

    /// What the C library calls an `errno` value.
    static func text(ofCode code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
