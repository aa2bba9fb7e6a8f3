/// What a button does: an action for each way to use it, and others in some states of the call.
package struct ButtonBindings: Hashable, Sendable {
    private struct Place: Hashable {
        var trigger: ButtonTrigger
        var state: CallState?
    }

    private var actions: [Place: ButtonAction] = [:]

    package init() {}

    package init(_ actions: [ButtonTrigger: ButtonAction]) {
        for (trigger, action) in actions { bind(trigger, to: action) }
    }

    /// Binds an action; without a state, in all states that have no binding of their own.
    package mutating func bind(_ trigger: ButtonTrigger, to action: ButtonAction, in state: CallState? = nil) {
        actions[Place(trigger: trigger, state: state)] = action
    }

    /// The binding for exactly this place, as the configuration spells it; nil where there is none.
    package subscript(_ trigger: ButtonTrigger, in state: CallState?) -> ButtonAction? {
        get { actions[Place(trigger: trigger, state: state)] }
        set { actions[Place(trigger: trigger, state: state)] = newValue }
    }

    /// The bound action as it was given, `intercom` and `none` included; nil where there is none.
    package func binding(_ trigger: ButtonTrigger, in state: CallState) -> ButtonAction? {
        actions[Place(trigger: trigger, state: state)] ?? actions[Place(trigger: trigger, state: nil)]
    }

    /// The triggers that do something in at least one state: only these gestures are looked for.
    package var triggers: Set<ButtonTrigger> {
        Set(actions.filter { $0.value != ButtonAction.none }.map(\.key.trigger))
    }

    /// The action that a gesture asks for; nil: nothing, because nothing is bound or because `none` is.
    ///
    /// Where a long or double press has no binding in this state it counts as a press: whoever presses long because the
    /// door does not open is not told "no such gesture". `holdStarted` and `holdEnded` give the same action.
    package func action(for gesture: ButtonGesture, in state: CallState) -> ButtonAction? {
        var bound = binding(gesture.trigger, in: state)
        if bound == nil, gesture == .longPress || gesture == .doublePress { bound = binding(.press, in: state) }
        return bound?.resolved(in: state)
    }
}
