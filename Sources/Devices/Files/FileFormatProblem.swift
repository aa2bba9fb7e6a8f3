/// What is wrong with the header of a media file.
package struct FileFormatProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// In plain words, without the path.
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    package var description: String { reason }
}
