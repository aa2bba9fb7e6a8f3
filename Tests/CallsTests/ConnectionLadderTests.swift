import Calls
import MediaTypes
import Testing

/// A connection as a ladder sees it, ten times a second.
private struct Course {
    var ladder: ConnectionLadder
    var now = MonotonicTime.zero + .seconds(1_000)
    var view = ConnectionLadder.Observation()
    var canAct = true
    /// Packets a tenth of a second.
    var heardRate: Int64 = 0
    var sentRate: Int64 = 0
    /// Tenths of a second between two acknowledgements; 0: none.
    var acknowledgementPause = 0
    var steps: [(second: Double, step: ConnectionLadder.Step)] = []
    var healths: [(second: Double, health: MediaHealth)] = []
    private var ticks = 0

    init(isPolite: Bool = false) {
        ladder = ConnectionLadder(isPolite: isPolite, at: now)
    }

    static func flowing(isPolite: Bool = false) -> Course {
        var course = Course(isPolite: isPolite)
        course.flow()
        course.run(5)
        course.steps = []
        course.healths = []
        return course
    }

    mutating func flow() {
        view.isConnected = true
        view.isOver = false
        heardRate = 5
        sentRate = 5
        acknowledgementPause = 1
    }

    /// - Returns: seconds from now on at which each step was due.
    mutating func run(_ seconds: Double) {
        let begin = now
        for _ in 0..<Int(seconds * 10) {
            now = now + .milliseconds(100)
            ticks += 1
            view.heard += heardRate
            view.received += heardRate
            view.sent += sentRate
            if acknowledgementPause > 0, ticks % acknowledgementPause == 0 { view.acknowledged += 1 }
            let second = (now - begin).seconds
            if let step = ladder.observe(view, canAct: canAct, at: now) { steps.append((second, step)) }
            if healths.last?.health != ladder.health { healths.append((second, ladder.health)) }
        }
    }

    /// What a new connection begins with.
    mutating func replace() {
        view = ConnectionLadder.Observation()
        ladder.noteNewConnection(at: now)
    }
}

@Test func theTableOfStepsIsAsStated() {
    typealias Ladder = ConnectionLadder
    for stage in Ladder.Stage.allCases {
        for condition in Ladder.Condition.allCases {
            for hasEverMoved in [true, false] {
                let (next, step) = Ladder.next(after: stage, condition, hasEverMoved: hasEverMoved)
                let wanted: (Ladder.Stage, Ladder.Step?) =
                    switch (hasEverMoved, stage, condition) {
                    case (_, _, .moving): (.steady, nil)
                    case (_, _, .unproven): (stage, nil)
                    case (false, _, _): (.reconnecting, .reconnect)
                    case (true, .steady, .over): (.reconnecting, .reconnect)
                    case (true, .steady, _): (.restarting, .restartICE)
                    case (true, .restarting, _): (.reconnecting, .reconnect)
                    case (true, .reconnecting, _): (.rejoining, .rejoin)
                    case (true, .rejoining, _), (true, .startingOver, _): (.startingOver, .startOver)
                    }
                #expect(next == wanted.0 && step == wanted.1, "\(stage) \(condition) \(hasEverMoved)")
            }
        }
    }
}

@Test func mediaThatMovesBothWaysNeedsNothing() {
    var course = Course.flowing()
    course.run(600)
    #expect(course.steps.isEmpty)
    #expect(course.ladder.health == .normal && course.ladder.stage == .steady)
}

@Test(arguments: [false, true]) func silenceOfADenseFlowIsNoticedWithinThreeSecondsAndClimbedStepByStep(isPolite: Bool)
{
    var course = Course.flowing(isPolite: isPolite)
    course.heardRate = 0
    course.acknowledgementPause = 0
    course.run(60)
    #expect(course.steps.map(\.step) == [.restartICE, .reconnect, .rejoin, .startOver])
    let lead = isPolite ? 1.0 : 0
    for (found, wanted) in zip(course.steps.map(\.second), [2.6, 7.6, 17.6, 32.6]) {
        #expect(abs(found - wanted - lead) <= 0.3, "\(found), \(wanted + lead) wanted")
    }
    #expect(course.healths.first { $0.health == .noData }.map { $0.second <= 1.3 } == true)
}

@Test func threeSecondsWithoutMediaCostAtMostOneRestart() {
    var course = Course.flowing()
    course.heardRate = 0
    course.acknowledgementPause = 0
    course.run(3)
    course.flow()
    course.run(60)
    #expect(course.steps.map(\.step) == [.restartICE])
    #expect(course.ladder.stage == .steady && course.ladder.health == .normal)
}

@Test(arguments: [1, 10, 50]) func whatIsSentAndNeverArrivesIsNoticedThoughTheFarSideIsHeard(pause: Int) {
    var course = Course.flowing()
    course.acknowledgementPause = pause
    // The first pause after dense reports may cost a restart; then their pace is known.
    course.run(30)
    #expect(course.steps.count <= (pause > 20 ? 1 : 0), "\(course.steps)")
    course.steps = []
    course.acknowledgementPause = 0
    course.run(12)
    print("reports every \(pause * 100) ms: noticed after \(course.steps.first?.second ?? -1) s")
    #expect(course.steps.first?.step == .restartICE)
    #expect(course.healths.contains { $0.health == .unstable })
}

@Test func aFarSideThatOnlyReportsEveryFewSecondsIsNoTrouble() {
    var course = Course.flowing()
    course.sentRate = 0
    course.acknowledgementPause = 0
    course.heardRate = 0
    // The first pause after a dense flow may cost a restart; then its pace is known.
    for _ in 0..<20 {
        course.run(5)
        course.view.heard += 1
    }
    #expect(course.steps.count <= 1, "\(course.steps)")
    #expect(course.ladder.stage == .steady)
}

@Test func whoeverSendsNothingNeedsNoAcknowledgement() {
    var course = Course()
    course.view.isConnected = true
    course.heardRate = 5
    course.run(120)
    #expect(course.steps.isEmpty)
    #expect(course.ladder.health == .normal)
}

@Test func withoutARoomNothingIsDoneAndAfterwardsAtOnce() {
    var course = Course.flowing()
    course.heardRate = 0
    course.acknowledgementPause = 0
    course.canAct = false
    course.run(100)
    #expect(course.steps.isEmpty)
    course.canAct = true
    course.run(1)
    #expect(course.steps.map(\.step) == [.restartICE])
}

@Test func aConnectionThatNeverWorkedIsMadeAnewEverMoreSlowlyAndNeverCostsTheRoom() {
    var course = Course()
    var seconds: [Double] = []
    var total = 0.0
    for _ in 0..<20_000 {
        course.run(0.1)
        total += 0.1
        guard let step = course.steps.popLast() else { continue }
        #expect(step.step == .reconnect)
        seconds.append(total)
        course.replace()
    }
    let pauses = zip(seconds.dropFirst(), seconds).map { ($0 - $1).rounded() }
    print("made anew after \(seconds.map { Int($0) }) s")
    #expect(abs((seconds.first ?? 0) - 15) < 1)
    #expect(pauses.prefix(4).elementsEqual([30, 60, 120, 240]))
    #expect(pauses.dropFirst(4).allSatisfy { $0 == 300 })
}

@Test func aConnectionThatTheFarSideClosedIsMadeAnewSoon() {
    var course = Course.flowing()
    course.view.isConnected = false
    course.view.isOver = true
    course.run(2)
    #expect(course.steps.map(\.step) == [.reconnect])
    #expect(course.steps.first.map { $0.second <= 1.2 } == true)
    course.replace()
    course.run(1)
    course.flow()
    course.run(5)
    #expect(course.ladder.stage == .steady)
    #expect(course.steps.count == 1)
}

@Test func aNewConnectionThatWorksEndsTheClimb() {
    var course = Course.flowing()
    course.heardRate = 0
    course.acknowledgementPause = 0
    course.run(9)
    #expect(course.steps.map(\.step) == [.restartICE, .reconnect])
    course.replace()
    course.run(2)
    course.flow()
    course.run(60)
    #expect(course.steps.count == 2)
    #expect(course.ladder.stage == .steady && course.ladder.health == .normal)
}

@Test func lossIsUnstableAndGetsNormalOnlyAfterAWhile() {
    var course = Course.flowing()
    for _ in 0..<50 {
        course.view.lost += 2
        course.run(0.1)
    }
    #expect(course.ladder.health == .unstable)
    course.healths = []
    course.run(20)
    #expect(course.steps.isEmpty)
    #expect(course.ladder.health == .normal)
    let calm = course.healths.first { $0.health == .normal }?.second ?? 0
    #expect(calm >= 3 && calm <= 7, "normal again after \(calm) s")
}
