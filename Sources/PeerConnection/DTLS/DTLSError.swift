/// What keeps DTLS from starting: always the machine's fault or a bug, never the far side's.
package enum DTLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// OpenSSL refused; the operation in words.
    case library(StaticString)

    package static func == (a: DTLSError, b: DTLSError) -> Bool { a.description == b.description }

    package var description: String {
        switch self {
        case .library(let operation): "OpenSSL cannot \(operation)"
        }
    }
}
