import MediaTypes
import Testing

@testable import Calls

@Suite struct ButtonGesturesTests {
    typealias Entry = ButtonScript.Entry

    @Test func aPressIsReportedWhenTheReleaseCounts() {
        var script = ButtonScript([.press])
        script.edge(true, at: 100)
        script.edge(false, at: 300)
        script.run(to: 10_000)
        #expect(script.entries == [Entry(milliseconds: 330, output: .gesture(.shortPress))])
    }

    @Test func withADoublePressAShortOneWaitsForTheWindow() {
        var script = ButtonScript([.press, .doublePress])
        script.edge(true, at: 100)
        script.edge(false, at: 200)
        script.run(to: 10_000)
        #expect(script.entries == [Entry(milliseconds: 500, output: .gesture(.shortPress))])
    }

    @Test func aSecondPressInTheWindowIsADoublePressAndNothingElse() {
        var script = ButtonScript([.press, .doublePress, .longPress])
        script.edge(true, at: 100)
        script.edge(false, at: 200)
        script.edge(true, at: 400)
        script.run(to: 3_000)
        script.edge(false, at: 3_000)
        script.run(to: 10_000)
        #expect(script.entries == [Entry(milliseconds: 430, output: .gesture(.doublePress))])
    }

    @Test func aSecondPressAtTheEndOfTheWindowCountsByItsEdge() {
        var script = ButtonScript([.press, .doublePress])
        script.edge(true, at: 100)
        script.edge(false, at: 200)
        script.edge(true, at: 499)
        script.edge(false, at: 600)
        script.run(to: 10_000)
        #expect(script.gestures == [.doublePress])
        var late = ButtonScript([.press, .doublePress])
        late.edge(true, at: 100)
        late.edge(false, at: 200)
        late.edge(true, at: 501)
        late.edge(false, at: 600)
        late.run(to: 10_000)
        #expect(late.gestures == [.shortPress, .shortPress])
    }

    @Test func aGlitchInTheWindowIsNoSecondPress() {
        var script = ButtonScript([.press, .doublePress])
        script.edge(true, at: 100)
        script.edge(false, at: 200)
        script.edge(true, at: 490)
        script.edge(false, at: 510)
        script.run(to: 10_000)
        #expect(script.gestures == [.shortPress])
    }

    @Test func aLongPressIsReportedWhileTheButtonIsDown() {
        var script = ButtonScript([.press, .longPress])
        script.edge(true, at: 0)
        script.edge(false, at: 2_000)
        script.run(to: 10_000)
        #expect(script.entries == [Entry(milliseconds: 800, output: .gesture(.longPress))])
    }

    @Test func aReleaseJustBeforeTheLongPressIsShort() {
        var script = ButtonScript([.press, .longPress])
        script.edge(true, at: 0)
        script.edge(false, at: 799)
        script.run(to: 10_000)
        #expect(script.gestures == [.shortPress])
    }

    @Test func withoutALongPressAnyTimeIsAShortOne() {
        var script = ButtonScript([.press])
        script.edge(true, at: 0)
        script.edge(false, at: 30_000)
        script.run(to: 100_000)
        #expect(script.gestures == [.shortPress])
    }

    @Test func holdStartsWhenThePressCountsAndEndsWhenTheReleaseCounts() {
        var script = ButtonScript([.hold])
        script.edge(true, at: 100)
        script.edge(false, at: 5_000)
        script.run(to: 10_000)
        #expect(
            script.entries == [
                Entry(milliseconds: 130, output: .gesture(.holdStarted)),
                Entry(milliseconds: 5_030, output: .gesture(.holdEnded)),
            ])
    }

    @Test func onlyBoundGesturesAreReported() {
        var script = ButtonScript([.longPress])
        script.edge(true, at: 0)
        script.edge(false, at: 200)
        script.run(to: 1_000)
        #expect(script.entries.isEmpty)
        var none = ButtonScript([])
        none.edge(true, at: 0)
        none.edge(false, at: 200)
        none.run(to: 1_000)
        #expect(none.entries.isEmpty)
    }

    @Test func aStuckButtonIsReportedOnceAndItsReleaseIsNoGesture() {
        for triggers in [Set([ButtonTrigger.press]), [.press, .doublePress], []] {
            var script = ButtonScript(triggers)
            script.edge(true, at: 0)
            script.edge(false, at: 600_000)
            script.run(to: 700_000)
            #expect(
                script.entries == [
                    Entry(milliseconds: 60_000, output: .stuck), Entry(milliseconds: 600_030, output: .released),
                ])
            script.edge(true, at: 700_100)
            script.edge(false, at: 700_200)
            script.run(to: 701_000)
            #expect(script.gestures == (triggers.isEmpty ? [] : [.shortPress]))
        }
    }

    @Test func aStuckButtonMakesOneLongPressAndEndsTheHold() {
        var script = ButtonScript([.longPress, .hold])
        script.edge(true, at: 0)
        script.run(to: 600_000)
        #expect(
            script.outputs == [
                .gesture(.holdStarted), .gesture(.longPress), .gesture(.holdEnded), .stuck,
            ])
    }

    @Test func aButtonThatIsDownAtTheStartMakesNoGestureButCanBeStuck() {
        var script = ButtonScript([.press, .longPress, .hold], isDown: true)
        script.run(to: 10_000)
        script.edge(false, at: 10_000)
        script.edge(true, at: 20_000)
        script.edge(false, at: 20_200)
        script.run(to: 30_000)
        #expect(script.gestures == [.holdStarted, .holdEnded, .shortPress])
        var stuck = ButtonScript([.press], isDown: true)
        stuck.run(to: 100_000)
        #expect(stuck.outputs == [.stuck])
    }

    @Test func aLostEdgeIsMadeGoodByReadingTheLevel() {
        var lostRelease = ButtonScript([.press])
        lostRelease.edge(true, at: 0)
        lostRelease.resynchronise(false, at: 500)
        lostRelease.run(to: 1_000)
        #expect(lostRelease.gestures == [.shortPress])
        var lostPress = ButtonScript([.hold])
        lostPress.resynchronise(true, at: 500)
        lostPress.run(to: 1_000)
        lostPress.resynchronise(true, at: 1_000)
        lostPress.run(to: 2_000)
        #expect(lostPress.gestures == [.holdStarted])
        var nothingLost = ButtonScript([.press])
        nothingLost.resynchronise(false, at: 500)
        nothingLost.run(to: 1_000)
        #expect(nothingLost.entries.isEmpty)
    }

    @Test func aLostLineEndsTheHoldAndForgetsThePress() {
        var script = ButtonScript([.press, .hold])
        script.edge(true, at: 0)
        script.loseLine(at: 500)
        script.run(to: 100_000)
        #expect(script.gestures == [.holdStarted, .holdEnded])
        // It came back with the button down: whatever happened meanwhile is not guessed at.
        script.resynchronise(true, at: 100_000)
        script.edge(false, at: 100_500)
        script.run(to: 110_000)
        #expect(script.gestures == [.holdStarted, .holdEnded])
    }

    @Test func withoutDebounceAnEdgeCountsAtOnce() {
        var timing = ButtonTiming()
        timing.debounce = .zero
        var script = ButtonScript([.press, .hold], timing: timing)
        script.edge(true, at: 10)
        script.edge(false, at: 20)
        #expect(
            script.entries == [
                Entry(milliseconds: 10, output: .gesture(.holdStarted)),
                Entry(milliseconds: 20, output: .gesture(.holdEnded)),
                Entry(milliseconds: 20, output: .gesture(.shortPress)),
            ])
    }

    @Test func anInputThatNeverSettlesMakesNoGesture() {
        var script = ButtonScript([.press, .hold, .doublePress, .longPress])
        for step in 0..<10_000 { script.edge(step % 2 == 0, at: Int64(step) * 20) }
        #expect(script.entries.isEmpty)
    }

    @Test func timeThatRunsBackwardsCountsAsStandingStill() {
        var script = ButtonScript([.press, .longPress])
        script.edge(true, at: 1_000)
        script.run(to: 1_500)
        script.button.receive(isPressed: false, at: script.time(200))
        script.run(to: 5_000)
        #expect(script.entries == [Entry(milliseconds: 1_530, output: .gesture(.shortPress))])
    }
}
