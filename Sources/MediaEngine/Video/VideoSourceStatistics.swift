import MediaTypes

/// What one remote stream's video did so far.
package struct VideoSourceStatistics: Sendable {
    package var decodedCount: Int
    package var failedCount: Int
    /// Frames that the decoding thread had no room for.
    package var droppedCount: Int
    /// Zero by zero before the first picture.
    package var size: PictureSize
    package var firstDecodedTime: MonotonicTime?
}
