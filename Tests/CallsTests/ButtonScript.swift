import MediaTypes

@testable import Calls

/// Drives one button in milliseconds and keeps what came out of it, with times.
struct ButtonScript {
    struct Entry: Equatable, CustomStringConvertible {
        var milliseconds: Int64
        var output: ButtonGestures.Output
        var description: String { "\(milliseconds): \(output)" }
    }

    var button: ButtonGestures
    private(set) var entries: [Entry] = []
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)

    init(_ triggers: Set<ButtonTrigger>, timing: ButtonTiming = ButtonTiming(), isDown: Bool? = false) {
        button = ButtonGestures(triggers: triggers, timing: timing)
        if let isDown { button.resynchronise(level: isDown, at: start) }
    }

    var outputs: [ButtonGestures.Output] { entries.map(\.output) }
    var gestures: [ButtonGesture] {
        outputs.compactMap { if case .gesture(let gesture) = $0 { gesture } else { nil } }
    }

    func time(_ milliseconds: Int64) -> MonotonicTime { start + .milliseconds(milliseconds) }

    /// Runs every deadline on its way, as the thread would.
    mutating func run(to milliseconds: Int64) {
        while button.nextDeadline <= time(milliseconds) {
            let deadline = button.nextDeadline
            button.advance(to: deadline)
            collect(at: (deadline - start).milliseconds)
            precondition(button.nextDeadline > deadline, "a deadline passes once it was served")
        }
        button.advance(to: time(milliseconds))
        collect(at: milliseconds)
    }

    mutating func edge(_ isDown: Bool, at milliseconds: Int64) {
        run(to: milliseconds)
        button.receive(isPressed: isDown, at: time(milliseconds))
        collect(at: milliseconds)
    }

    /// Goes to a level with a number of bounces, the last edge `settling` ms after the first.
    mutating func bouncing(_ isDown: Bool, at milliseconds: Int64, bounces: [Int64]) {
        edge(isDown, at: milliseconds)
        for (index, offset) in bounces.enumerated() {
            edge(index % 2 == 0 ? !isDown : isDown, at: milliseconds + offset)
        }
        if bounces.count % 2 == 1 { edge(isDown, at: milliseconds + (bounces.last ?? 0) + 1) }
    }

    mutating func resynchronise(_ isDown: Bool, at milliseconds: Int64) {
        run(to: milliseconds)
        button.resynchronise(level: isDown, at: time(milliseconds))
        collect(at: milliseconds)
    }

    mutating func loseLine(at milliseconds: Int64) {
        run(to: milliseconds)
        button.lineLost(at: time(milliseconds))
        collect(at: milliseconds)
    }

    private mutating func collect(at milliseconds: Int64) {
        while let output = button.pollOutput() { entries.append(Entry(milliseconds: milliseconds, output: output)) }
    }
}
