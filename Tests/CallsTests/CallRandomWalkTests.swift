import MediaTypes
import Testing

@testable import Calls

/// One session and every input in every order, far outside what a network does.
@Suite struct CallRandomWalkTests {
    private static let others: [ParticipantID] = ["a", "b", "n", "z"]
    private static let events = CallMessage.Event.allCases
    private static let reasons = CallEndReason.allCases

    private struct Walker {
        var session = CallSession(
            ownID: "m", settings: CallSettings(ringTime: .seconds(3), lostTime: .seconds(1), autoAnswer: ["b"]))
        var random: SeededRandom
        var now = MonotonicTime(nanoseconds: 1)
        var outputs = 0
        var newIDs = 0
        var phases = [Int](repeating: 0, count: CallPhase.allCases.count)

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        mutating func pick<Element>(_ elements: [Element]) -> Element {
            elements[Int(truncatingIfNeeded: random.next() >> 1) % elements.count]
        }

        /// One that is on, one of the last, or a new one.
        mutating func callID() -> String {
            switch random.next() % 4 {
            case 0: return "\(newIDs - Int(random.next() % 20))"
            case 1:
                newIDs += 1
                return "\(newIDs)"
            default: return session.callID ?? "\(newIDs)"
            }
        }

        mutating func step() -> String? {
            now = now + .milliseconds(Int64(random.next() % 300))
            let id = pick(CallRandomWalkTests.others)
            do throws(CallError) {
                switch random.next() % 16 {
                case 0:
                    newIDs += 1
                    try session.call([id, "c"], callID: "\(newIDs)", at: now)
                case 1: try session.answer(at: now)
                case 2: try session.decline(at: now)
                case 3: try session.hangUp(at: now)
                case 4: if random.next() % 8 == 0 { session.leaveRoom(at: now) }
                case 5: if random.next() % 4 == 0 { session.roomLost(at: now) }
                case 6: session.roomJoined(participants: [id], at: now)
                case 7: session.participantJoined(id, at: now)
                case 8: session.participantLeft(id, isLost: random.next() % 2 == 0, at: now)
                case 9: session.mediaChanged(with: id, isFlowing: random.next() % 2 == 0, at: now)
                case 10: session.advance(to: now)
                default:
                    let message = CallMessage(
                        pick(CallRandomWalkTests.events), callID: callID(),
                        reason: random.next() % 2 == 0 ? pick(CallRandomWalkTests.reasons) : nil)
                    session.receive(message, from: session.partner ?? id, at: now)
                }
            } catch {}
            phases[CallPhase.allCases.firstIndex(of: session.phase) ?? 0] += 1
            var state: CallState?
            while let output = session.pollOutput() {
                outputs += 1
                if case .stateChanged(let new, _) = output { state = new }
            }
            if let state, state != session.state { return "told \(state), is \(session.state)" }
            return session.inconsistency(at: now)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func aMillionInputsNeverReachAnUndefinedState(seed: UInt64) {
        var walker = Walker(seed: seed)
        for step in 0..<250_000 {
            if let problem = walker.step() {
                Issue.record("seed \(seed), step \(step): \(problem)")
                return
            }
        }
        // Left alone it comes to rest: what nobody answers ends by itself.
        walker.session.roomLost(at: walker.now)
        for id in CallRandomWalkTests.others {
            walker.session.mediaChanged(with: id, isFlowing: false, at: walker.now)
        }
        for _ in 0..<100 where walker.session.nextDeadline != .distantFuture {
            walker.session.advance(to: walker.session.nextDeadline)
        }
        #expect(walker.session.state == .idle)
        #expect(walker.session.nextDeadline == .distantFuture)
        print("seed \(seed): \(walker.outputs) outputs, \(walker.session.ignoredMessages) ignored, \(walker.phases)")
        #expect(walker.phases.allSatisfy { $0 > 1_000 }, "a state is hardly visited")
    }
}
