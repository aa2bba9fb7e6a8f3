/// What keeps ICE from starting.
package enum ICEError: Error, Equatable, Sendable, CustomStringConvertible {
    case library(StaticString)

    package static func == (a: ICEError, b: ICEError) -> Bool { a.description == b.description }

    package var description: String {
        switch self {
        case .library(let operation): "libnice cannot \(operation)"
        }
    }
}
