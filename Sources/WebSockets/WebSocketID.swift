/// One connection to a `WebSocketServer`; never used twice in its life.
package struct WebSocketID: Hashable, Comparable, Sendable {
    package var number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package static func < (a: WebSocketID, b: WebSocketID) -> Bool { a.number < b.number }
}
