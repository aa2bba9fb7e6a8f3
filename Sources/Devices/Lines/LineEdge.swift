import MediaTypes

/// An input that changed, or its level as it was read where changes may have been lost.
package struct LineEdge: Hashable, Sendable {
    /// Which input of the `LineInput`.
    package var index: Int
    package var isActive: Bool
    /// When the kernel saw it.
    package var time: MonotonicTime
    /// Not an edge but the level at that time.
    package var isLevel = false
}
