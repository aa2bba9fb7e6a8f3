import Glibc

/// A system call that failed, with what was being done.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The `errno` value.
    package var code: Int32
    /// What was tried, for the reader of a log: "open the event descriptor".
    package var operation: StaticString

    package init(code: Int32, operation: StaticString) {
        self.code = code
        self.operation = operation
    }

    package static func == (a: SystemError, b: SystemError) -> Bool {
        a.code == b.code && a.operation.description == b.operation.description
    }

    package var description: String { "cannot \(operation): \(SystemError.text(of: code))" }

    /// The system's words for an `errno` value.
    package static func text(of code: Int32) -> String {
        // strerror of glibc keeps its buffer per thread; it returns NULL for no code.
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
