/// What a display did so far.
package struct DisplayFigures: Sendable, Equatable {
    /// Where and how it shows, in words; empty for simulated ones.
    package var mode = ""
    /// Pictures handed to the screen.
    package var pictureCount = 0
    /// Pictures of which the kernel did not tell in time that they are on show, or for which it was not ready.
    package var missedCount = 0
    /// Pixels written into buffers.
    package var writtenPixels: Int64 = 0

    package init() {}
}
