/// A token, password or key: its text never appears in a log, a status or an error.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For the one place that needs it.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "•••" }
    package var debugDescription: String { "•••" }
    /// `dump` sees nothing either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
