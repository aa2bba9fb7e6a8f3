import CWebSocketShims
import Telemetry

/// Keeps libwebsockets from writing to standard error: what it says goes to our log, at debug.
enum LibraryLog {
    /// Done once per process, at the first use. The library's own debug levels are too many even for us.
    static let route: Void = {
        let levels = Log.level >= .debug ? LLL_ERR | LLL_WARN | LLL_NOTICE | LLL_USER : 0
        ccb_ws_log(Int32(levels), writeLibraryLog)
    }()
}

private func writeLibraryLog(_ level: Int32, _ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    Log.debug("websocket", String(cString: text).trimmedOfNewline)
}

extension String {
    fileprivate var trimmedOfNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}
