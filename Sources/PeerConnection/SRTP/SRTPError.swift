/// What keeps SRTP from starting; the code is libsrtp's.
enum SRTPError: Error, Equatable, CustomStringConvertible {
    case library(code: Int32)

    var description: String {
        switch self {
        case .library(let code): "libsrtp cannot make a session (\(code))"
        }
    }
}
