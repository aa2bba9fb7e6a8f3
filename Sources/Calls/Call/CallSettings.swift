import MediaTypes

/// How this endpoint calls and is called.
package struct CallSettings: Hashable, Sendable {
    /// How long a call rings. The callee waits `calleeMargin` longer, so that the caller's timer decides.
    package var ringTime: Interval
    /// How long a call outlives the absence of the other side.
    package var lostTime: Interval
    /// Whose calls are answered without anybody pressing a button.
    package var autoAnswer: Set<ParticipantID>

    static let calleeMargin = Interval.seconds(5)

    package init(
        ringTime: Interval = .seconds(30), lostTime: Interval = .seconds(10), autoAnswer: Set<ParticipantID> = []
    ) {
        self.ringTime = ringTime
        self.lostTime = lostTime
        self.autoAnswer = autoAnswer
    }
}
