import MediaTypes

/// Makes gestures of the edges of one button. Pure: edges and times in, gestures out.
///
/// ```
///             down                     up, a double press is looked for            window over
///   released ──────▶ pressed ────────────────────────────────▶ waiting ──────────────────────▶ released
///      ▲               │  up: shortPress                          │ down: doublePress             shortPress
///      ├───────────────┤                                          ▼
///      │               └─ long: longPress ─────────────────▶ finished (nothing more comes of this press)
///      │ up                                                       │
///      ├──────────────────────────────────────────────────────────┤
///      │ up: released                                             │ too long: stuck
///      └───────────────── stuck ◀─────────────────────────────────┘ (and from pressed)
/// ```
/// - A level counts once it has not changed for `timing.debounce`; its time is the one of its last edge, so that a slow
///   caller changes no gesture. With a debounce of zero an edge counts at once.
/// - A button without a double press reports a short press when it goes up, without waiting for a second one.
/// - A button without a long press reports a short press after any time, until it is stuck.
/// - Hold is reported beside the others: it starts when the press counts and ends when the release counts, when the
///   button is stuck, or when the line is lost.
/// - A button that is down when it is first seen makes no gesture until it was up, but can be stuck.
/// - Time never runs backwards: what is older than what was seen last counts as of then.
package struct ButtonGestures: Sendable {
    package enum Output: Hashable, Sendable {
        case gesture(ButtonGesture)
        /// Down for too long: reported once.
        case stuck
        /// A stuck button went up; no gesture comes of it.
        case released
    }

    private enum Phase: Hashable, Sendable {
        case released
        case pressed(since: MonotonicTime)
        /// Up after a short press; a second one may follow.
        case waiting(until: MonotonicTime)
        case finished(since: MonotonicTime)
        case stuck
    }

    private let timing: ButtonTiming
    private let triggers: Set<ButtonTrigger>
    private var phase = Phase.released
    private var isHolding = false
    /// The level as last reported, bounces included; nil until it is known.
    private var rawLevel: Bool?
    private var settledLevel = false
    private var lastEdge = MonotonicTime.zero
    private var now = MonotonicTime(nanoseconds: .min)
    private var outputs: [Output] = []

    /// - Parameter triggers: what something is bound to; no other gesture is reported.
    package init(triggers: Set<ButtonTrigger>, timing: ButtonTiming = ButtonTiming()) {
        self.triggers = triggers
        self.timing = timing
    }

    /// Whether the button is down, bounces aside.
    package var isPressed: Bool { settledLevel }
    package var isStuck: Bool { phase == .stuck }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime {
        let settling = settlingTime ?? .distantFuture
        guard let time = phaseDeadline else { return settling }
        // What happened before the deadline decides, even when it counts only after it.
        return lastEdge <= time && settlingTime != nil ? settling : min(settling, time)
    }

    /// The button went down or up.
    package mutating func receive(isPressed: Bool, at time: MonotonicTime) {
        guard rawLevel != nil else { return resynchronise(level: isPressed, at: time) }
        advance(to: time)
        guard isPressed != rawLevel else { return }
        rawLevel = isPressed
        lastEdge = now
        if timing.debounce <= .zero { settle() }
        // A deadline that had waited for this change to count may be due.
        advance(to: now)
    }

    /// The level as read from the line: at the start, and when edges may have been lost.
    package mutating func resynchronise(level: Bool, at time: MonotonicTime) {
        guard rawLevel == nil else { return receive(isPressed: level, at: time) }
        advance(to: time)
        rawLevel = level
        settledLevel = level
        lastEdge = now
        phase = level ? .finished(since: now) : .released
    }

    /// The line is gone: what it would have said is unknown until `resynchronise(level:at:)`.
    package mutating func lineLost(at time: MonotonicTime) {
        advance(to: time)
        endHold()
        if phase == .stuck { outputs.append(.released) }
        phase = .released
        rawLevel = nil
        settledLevel = false
    }

    package mutating func advance(to time: MonotonicTime) {
        while nextDeadline <= time {
            now = max(now, nextDeadline)
            if let settling = settlingTime, settling <= now {
                settle()
            } else {
                phaseIsOver()
            }
        }
        now = max(now, time)
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    /// When the level counts that differs from the one that counts now.
    private var settlingTime: MonotonicTime? {
        guard let rawLevel, rawLevel != settledLevel else { return nil }
        return lastEdge + timing.debounce
    }

    private var phaseDeadline: MonotonicTime? {
        switch phase {
        case .released, .stuck: nil
        case .waiting(let end): end
        case .pressed(let since):
            since + (triggers.contains(.longPress) ? min(timing.longPress, timing.stuck) : timing.stuck)
        case .finished(let since): since + timing.stuck
        }
    }

    private mutating func settle() {
        settledLevel = !settledLevel
        if settledLevel { pressed() } else { released() }
    }

    private mutating func pressed() {
        if case .waiting = phase {
            report(.doublePress)
            phase = .finished(since: lastEdge)
        } else {
            phase = .pressed(since: lastEdge)
        }
        if triggers.contains(.hold) {
            isHolding = true
            report(.holdStarted)
        }
    }

    private mutating func released() {
        endHold()
        switch phase {
        case .pressed where triggers.contains(.doublePress): phase = .waiting(until: lastEdge + timing.doublePress)
        case .pressed:
            report(.shortPress)
            phase = .released
        case .stuck:
            outputs.append(.released)
            phase = .released
        case .released, .waiting, .finished: phase = .released
        }
    }

    /// The deadline of the phase has come.
    private mutating func phaseIsOver() {
        switch phase {
        case .waiting:
            report(.shortPress)
            phase = .released
        case .pressed(let since) where triggers.contains(.longPress) && timing.longPress < timing.stuck:
            report(.longPress)
            phase = .finished(since: since)
        case .pressed, .finished:
            endHold()
            outputs.append(.stuck)
            phase = .stuck
        case .released, .stuck: break
        }
    }

    private mutating func endHold() {
        guard isHolding else { return }
        isHolding = false
        report(.holdEnded)
    }

    private mutating func report(_ gesture: ButtonGesture) {
        // A short press is what remains of a press when a double or long one is looked for in vain.
        guard triggers.contains(gesture.trigger) else { return }
        outputs.append(.gesture(gesture))
    }
}
