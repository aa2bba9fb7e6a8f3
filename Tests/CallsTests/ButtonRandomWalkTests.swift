import MediaTypes
import Testing

@testable import Calls

/// Bounces, batches and lost edges at random; the seed is printed with a failure.
@Suite struct ButtonRandomWalkTests {
    static let seeds: [UInt64] = Array(1...40)

    /// 1 … 20 ms of bounces after an edge, as contacts have them.
    private func bounces(_ random: inout SeededRandom) -> [Int64] {
        var offsets: [Int64] = []
        var offset: Int64 = 0
        let end = Int64.random(in: 1...20, using: &random)
        while true {
            offset += Int64.random(in: 1...6, using: &random)
            if offset > end { return offsets }
            offsets.append(offset)
        }
    }

    @Test(arguments: seeds) func eachPressIsOneGestureHoweverItBounces(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var script = ButtonScript([.press, .longPress, .doublePress, .hold])
        var expected: [ButtonGesture] = []
        var now: Int64 = 100
        for _ in 0..<200 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                now = press(&script, at: now, for: Int64.random(in: 60...700, using: &random), &random)
                expected += [.holdStarted, .holdEnded, .shortPress]
            case 1:
                now = press(&script, at: now, for: Int64.random(in: 860...5_000, using: &random), &random)
                expected += [.holdStarted, .longPress, .holdEnded]
            default:
                now = press(&script, at: now, for: Int64.random(in: 60...700, using: &random), &random)
                now += Int64.random(in: 60...250, using: &random)
                now = press(&script, at: now, for: Int64.random(in: 60...5_000, using: &random), &random)
                expected += [.holdStarted, .holdEnded, .doublePress, .holdStarted, .holdEnded]
            }
            now += Int64.random(in: 400...3_000, using: &random)
            script.run(to: now)
            #expect(script.gestures == expected, "seed \(seed), at \(now) ms")
            guard script.gestures == expected else { return }
        }
    }

    /// - Returns: when the first edge of the release came.
    private func press(
        _ script: inout ButtonScript, at start: Int64, for time: Int64, _ random: inout SeededRandom
    ) -> Int64 {
        script.bouncing(true, at: start, bounces: bounces(&random))
        script.bouncing(false, at: start + time, bounces: bounces(&random))
        return start + time + 21
    }

    /// A thread that is late, and reads many edges at once, sees the same gestures.
    @Test(arguments: seeds) func lateServiceChangesNoGesture(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let triggers = Set(ButtonTrigger.allCases.filter { _ in Bool.random(using: &random) })
        var prompt = ButtonScript(triggers)
        var late = ButtonGestures(triggers: triggers)
        late.resynchronise(level: false, at: prompt.time(0))
        var now: Int64 = 0
        var level = false
        for _ in 0..<5_000 {
            let longest: Int64 = Int.random(in: 0..<40, using: &random) == 0 ? 70_000 : 1_200
            now += Int64.random(in: 1...longest, using: &random)
            level.toggle()
            prompt.edge(level, at: now)
            late.receive(isPressed: level, at: prompt.time(now))
        }
        prompt.run(to: now + 100_000)
        late.advance(to: prompt.time(now + 100_000))
        var outputs: [ButtonGestures.Output] = []
        while let output = late.pollOutput() { outputs.append(output) }
        #expect(outputs == prompt.outputs, "seed \(seed)")
    }

    @Test(arguments: seeds) func anythingAtAllKeepsTheRules(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var timing = ButtonTiming()
        timing.debounce = .milliseconds(Int64.random(in: 0...40, using: &random))
        timing.stuck = .seconds(Int64.random(in: 1...10, using: &random))
        var script = ButtonScript(Set(ButtonTrigger.allCases), timing: timing, isDown: nil)
        var now: Int64 = 0
        for _ in 0..<10_000 {
            now += Int64.random(in: 0...1_500, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: script.resynchronise(Bool.random(using: &random), at: now)
            case 1: script.loseLine(at: now)
            case 2:
                script.run(to: now)
                script.button.receive(isPressed: Bool.random(using: &random), at: script.time(now - 2_000))
            default: script.edge(Bool.random(using: &random), at: now)
            }
            #expect(script.button.nextDeadline > script.time(now), "seed \(seed), at \(now) ms")
        }
        script.loseLine(at: now + 100_000)
        var isHeld = false
        var isStuck = false
        for output in script.outputs {
            switch output {
            case .gesture(.holdStarted), .gesture(.holdEnded):
                #expect(isHeld == (output == .gesture(.holdEnded)), "seed \(seed)")
                isHeld.toggle()
            case .stuck, .released:
                #expect(isStuck == (output == .released) && !isHeld, "seed \(seed)")
                isStuck.toggle()
            case .gesture: #expect(!isStuck, "seed \(seed)")
            }
        }
        #expect(!isHeld && !isStuck, "seed \(seed)")
    }
}
