import Testing

@testable import Calls

@Suite struct ButtonBindingsTests {
    @Test func anIntercomButtonCallsAnswersAndHangsUp() {
        let bindings = ButtonBindings([.press: .intercom])
        let actions = CallState.allCases.map { bindings.action(for: .shortPress, in: $0) }
        #expect(actions == [.call, .hangUp, .answer, .hangUp])
    }

    @Test func everyOtherActionIsItselfInEveryState() {
        for action in ButtonAction.allCases where action != .intercom {
            for state in CallState.allCases {
                #expect(action.resolved(in: state) == (action == ButtonAction.none ? nil : action))
            }
        }
    }

    @Test func aStateMayHaveItsOwnActionOrNone() {
        var bindings = ButtonBindings([.press: .call])
        bindings.bind(.press, to: .answer, in: .ringing)
        bindings.bind(.press, to: .none, in: .inCall)
        let actions = CallState.allCases.map { bindings.action(for: .shortPress, in: $0) }
        #expect(actions == [.call, .call, .answer, nil])
        #expect(bindings.binding(.press, in: .inCall) == ButtonAction.none)
    }

    @Test func aLongOrDoublePressWithoutABindingInThisStateCountsAsAPress() {
        var bindings = ButtonBindings([.press: .intercom])
        bindings.bind(.longPress, to: .decline, in: .ringing)
        bindings.bind(.doublePress, to: .none)
        #expect(bindings.action(for: .longPress, in: .ringing) == .decline)
        #expect(bindings.action(for: .longPress, in: .idle) == .call)
        #expect(bindings.action(for: .doublePress, in: .idle) == nil)
    }

    @Test func holdGivesItsActionAtBothEnds() {
        let bindings = ButtonBindings([.hold: .talk])
        #expect(bindings.action(for: .holdStarted, in: .inCall) == .talk)
        #expect(bindings.action(for: .holdEnded, in: .idle) == .talk)
        #expect(bindings.action(for: .shortPress, in: .idle) == nil)
        #expect(bindings.action(for: .longPress, in: .idle) == nil)
    }

    @Test func onlyWhatDoesSomethingIsLookedFor() {
        var bindings = ButtonBindings([.press: .mute, .doublePress: .none])
        #expect(bindings.triggers == [.press])
        bindings.bind(.longPress, to: .hangUp, in: .inCall)
        #expect(bindings.triggers == [.press, .longPress])
        #expect(ButtonBindings().triggers.isEmpty)
    }
}
