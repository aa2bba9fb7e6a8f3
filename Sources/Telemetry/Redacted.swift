/// Holds what must not be read in a log (an address, a key, a token, SDP): every way of printing it shows its label.
package struct Redacted<Value>: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The thing itself, for use.
    package let value: Value
    private let label: StaticString

    /// - Parameter label: what stands in its place: `<address>`.
    package init(_ value: Value, as label: StaticString = "redacted") {
        self.value = value
        self.label = label
    }

    package var description: String { "<\(label)>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Redacted: Sendable where Value: Sendable {}
extension Redacted: Equatable where Value: Equatable {
    package static func == (a: Redacted, b: Redacted) -> Bool { a.value == b.value }
}
