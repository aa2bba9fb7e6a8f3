import Codecs
import Realtime

/// Why the media threads could not be made. Devices are no reason: they may be missing at any time.
package enum MediaEngineError: Error, CustomStringConvertible {
    case system(SystemError)
    case codec(CodecError)

    package var description: String {
        switch self {
        case .system(let error): "\(error)"
        case .codec(let error): "\(error)"
        }
    }
}
