import MediaTypes

/// Decides what is done for one media connection that does not do its work, from what moves in both directions.
///
/// ```
///          trouble             5 s                10 s                  15 s
/// steady ─────────▶ restarting ───▶ reconnecting ────▶ rejoining ─────────▶ startingOver ⟲ 30 s … 5 min
///    ▲                  │                │                 │                     │
///    └──────────────────┴── media moves both ways ─────────┴─────────────────────┘
/// ```
/// Trouble is: no path; nothing heard for longer than this far side usually leaves between two packets; or media is sent
/// and the far side's reports do not say that it arrives. A connection that never worked is made anew, ever more slowly:
/// to join the room again would only disturb the others.
package struct ConnectionLadder: Sendable {
    /// Where on the ladder the connection stands.
    package enum Stage: String, Sendable, Hashable, CaseIterable {
        case steady
        case restarting
        case reconnecting
        case rejoining
        case startingOver
    }

    /// What the owner does now.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        /// Look for a new path; what is there goes on meanwhile.
        case restartICE
        /// Close this connection and make a new one.
        case reconnect
        /// Join the room anew and keep the connections that work.
        case rejoin
        /// Close every connection and join the room anew.
        case startOver
    }

    /// What the connection does at the moment of an observation.
    package enum Condition: String, Sendable, Hashable, CaseIterable {
        /// Up, and media was seen to move both ways since the last step.
        case moving
        /// Up, and not yet proven.
        case unproven
        /// Nothing is heard.
        case silent
        /// What is sent does not arrive.
        case unheard
        /// No path, or not yet one.
        case unconnected
        /// Failed or closed by the far side: only a new connection can help.
        case over
    }

    /// Counts that only grow within one connection.
    package struct Observation: Sendable, Equatable {
        package var isConnected = false
        package var isOver = false
        /// Authentic packets of the far side.
        package var heard: Int64 = 0
        /// RTP packets that left.
        package var sent: Int64 = 0
        /// Times that the far side said something newly sent has arrived.
        package var acknowledged: Int64 = 0
        package var received: Int64 = 0
        package var lost: Int64 = 0
        /// In the far side's last report: 0 … 1.
        package var reportedLoss: Double = 0

        package init() {}
    }

    /// Time for a first connection, before it is made anew.
    package static let connectTime = Interval.seconds(15)
    package static let restartTime = Interval.seconds(5)
    package static let reconnectTime = Interval.seconds(10)
    package static let rejoinTime = Interval.seconds(15)
    package static let firstPause = Interval.seconds(30)
    package static let longestPause = Interval.seconds(300)
    /// The side that gives way in a collision of offers leaves the other one this much ahead.
    package static let politeDelay = Interval.seconds(1)

    package private(set) var stage = Stage.steady
    package private(set) var health = MediaHealth.noData
    private let isPolite: Bool
    private var hasEverMoved = false
    private var isProven = false
    private var stepTime: MonotonicTime
    private var pause = ConnectionLadder.firstPause
    private var troubleTime: MonotonicTime?
    private var hearing = MediaPace(shortestLimit: .milliseconds(2_500))
    private var acknowledging = MediaPace(shortestLimit: .milliseconds(3_500))
    private var unacknowledgedTime: MonotonicTime?
    private var last = Observation()
    private var faultTime: MonotonicTime?
    private var loss = LossWindow()

    /// - Parameter isPolite: gives way when both sides offer at once.
    package init(isPolite: Bool, at now: MonotonicTime) {
        self.isPolite = isPolite
        stepTime = now + Self.connectTime
    }

    /// The owner looked for a new path for another reason (an address changed, the room was joined anew).
    package mutating func noteRestart(at now: MonotonicTime) {
        guard hasEverMoved else { return }
        if stage == .steady { stage = .restarting }
        isProven = false
        stepTime = max(stepTime, now + Self.restartTime)
    }

    /// The connection was made anew, whoever wanted it: its counts begin at zero.
    package mutating func noteNewConnection(at now: MonotonicTime) {
        forget()
        if hasEverMoved, stage == .steady || stage == .restarting { stage = .reconnecting }
        stepTime = max(stepTime, now + (hasEverMoved ? Self.reconnectTime : Self.connectTime))
    }

    /// Takes in how things stand; a few times a second.
    /// - Parameter canAct: signals reach the far side: the room is joined and the machine has an address. Without, time
    ///   passes and nothing is done.
    package mutating func observe(
        _ observation: Observation, canAct: Bool, at now: MonotonicTime
    ) -> Step? {
        let condition = judge(observation, at: now)
        judgeHealth(condition, observation, at: now)
        last = observation
        if condition == .moving {
            hasEverMoved = true
            troubleTime = nil
            pause = Self.firstPause
            stage = .steady
            return nil
        }
        guard condition != .unproven else { return nil }
        let since = troubleTime ?? now
        troubleTime = since
        guard canAct else { return nil }
        let isDue =
            switch (stage, condition) {
            case (.steady, _) where !hasEverMoved && condition != .over: now >= stepTime
            case (.steady, .over): now >= since + (isPolite ? Self.politeDelay * 2 : Self.politeDelay)
            case (.steady, _): now >= since + (isPolite ? Self.politeDelay : .zero)
            default: now >= stepTime
            }
        guard isDue else { return nil }
        return climb(condition, at: now)
    }

    /// The rule itself: what follows when the time of `stage` is up and things stand so.
    package static func next(
        after stage: Stage, _ condition: Condition, hasEverMoved: Bool
    ) -> (stage: Stage, step: Step?) {
        if condition == .moving { return (.steady, nil) }
        // Proven or silent or unheard soon: a far side may have little to say.
        if condition == .unproven { return (stage, nil) }
        guard hasEverMoved else { return (.reconnecting, .reconnect) }
        switch (stage, condition) {
        case (.steady, .over), (.restarting, _): return (.reconnecting, .reconnect)
        case (.steady, _): return (.restarting, .restartICE)
        case (.reconnecting, _): return (.rejoining, .rejoin)
        case (.rejoining, _), (.startingOver, _): return (.startingOver, .startOver)
        }
    }

    private mutating func climb(_ condition: Condition, at now: MonotonicTime) -> Step? {
        let (next, step) = Self.next(after: stage, condition, hasEverMoved: hasEverMoved)
        guard let step else { return nil }
        stage = next
        isProven = false
        switch next {
        case .steady: break
        case .restarting: stepTime = now + Self.restartTime
        case .reconnecting where hasEverMoved: stepTime = now + Self.reconnectTime
        case .rejoining: stepTime = now + Self.rejoinTime
        case .reconnecting, .startingOver:
            stepTime = now + pause
            pause = min(pause * 2, Self.longestPause)
        }
        return step
    }

    private mutating func judge(_ observation: Observation, at now: MonotonicTime) -> Condition {
        if observation.isOver { return .over }
        guard observation.isConnected else { return .unconnected }
        if !last.isConnected { hearing.begin(at: now) }
        if observation.heard > last.heard { hearing.note(at: now) }
        if observation.acknowledged > last.acknowledged {
            acknowledging.note(at: now)
            unacknowledgedTime = nil
            isProven = isProven || observation.heard > 0
        } else if observation.sent > last.sent, unacknowledgedTime == nil {
            unacknowledgedTime = now
        }
        // Whoever sends nothing needs no proof that it arrives.
        if observation.heard > last.heard, unacknowledgedTime == nil { isProven = true }
        if hearing.isOverdue(at: now) { return .silent }
        if let unacknowledgedTime, now - unacknowledgedTime > acknowledging.limit { return .unheard }
        return isProven ? .moving : .unproven
    }

    private mutating func judgeHealth(_ condition: Condition, _ observation: Observation, at now: MonotonicTime) {
        loss.note(received: observation.received, lost: observation.lost, at: now)
        let worst: MediaHealth
        switch condition {
        case .over, .unconnected, .silent: worst = .noData
        case .unheard: worst = .unstable
        case .moving, .unproven:
            if hearing.isLate(at: now) || observation.heard == 0 {
                worst = .noData
            } else if loss.share > 0.1 || observation.reportedLoss > 0.1 {
                worst = .unstable
            } else {
                worst = .normal
            }
        }
        if worst != .normal { faultTime = now }
        switch worst {
        case .noData: health = .noData
        case .unstable: health = .unstable
        case .normal:
            // Better at once than nothing; well only after a while.
            let isCalm = faultTime.map { now - $0 >= .seconds(3) } ?? true
            if isCalm || !hasEverMoved {
                health = .normal
            } else if health == .noData {
                health = .unstable
            }
        }
    }

    private mutating func forget() {
        last = Observation()
        isProven = false
        hearing.reset()
        acknowledging.reset()
        unacknowledgedTime = nil
        loss = LossWindow()
    }
}
