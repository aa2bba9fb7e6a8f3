/// Whether media moves, as counts that only grow: two snapshots tell what happened between them. Costs no allocation.
package struct MediaProgress: Sendable, Equatable, BitwiseCopyable {
    /// RTP packets that left, repeated ones included.
    package var sent: Int64 = 0
    /// Times that the far side said something newly sent has arrived, by a reception report or by transport feedback.
    package var acknowledged: Int64 = 0
    /// Different RTP packets that came.
    package var received: Int64 = 0
    /// Missing among what should have come; may shrink when a late packet comes.
    package var lost: Int64 = 0
    /// The worst line's loss in the far side's last report: 0 … 1.
    package var reportedLoss: Double = 0

    package init() {}
}
