/// The call table: what each input does in each state. `CallSession` does what stands here, and nothing else.
package enum CallTable {
    package static func outcome(of input: CallInput, in phase: CallPhase) -> CallOutcome {
        switch phase {
        case .idle: whenIdle(input)
        case .calling: whenCalling(input)
        case .ringing: whenRinging(input)
        case .inCallAsCaller: whenInCallAsCaller(input)
        case .inCallAsCallee: whenInCallAsCallee(input)
        }
    }

    private static func whenIdle(_ input: CallInput) -> CallOutcome {
        switch input {
        case .call: .inviteTargets
        case .answer, .decline, .hangUp: .refuse(.noCall)
        case .leaveRoom: .nothing
        case .invite, .winningInvite, .losingInvite: .ring
        case .listedInvite: .answerAtOnce
        // There is no call that these could belong to.
        case .repeatedInvite, .ringingMessage, .acceptMessage, .declineMessage, .busyMessage, .cancelMessage,
            .hangUpMessage, .resumeMessage, .endedMessage:
            .ignore
        case .otherJoined, .otherLost, .otherGone, .roomLost, .roomJoined, .mediaFlows, .mediaStopped, .ringTimeOut,
            .lostTimeOut:
            .nothing
        }
    }

    private static func whenCalling(_ input: CallInput) -> CallOutcome {
        switch input {
        case .call: .refuse(.busy)
        case .answer, .decline: .refuse(.noCall)
        case .hangUp: .cancelTargets
        case .leaveRoom: .endForGood
        case .invite, .listedInvite: .refuseBusy
        case .winningInvite: .takeTheirCall
        case .losingInvite: .keepOwnCall
        case .repeatedInvite, .cancelMessage: .ignore
        case .ringingMessage: .noteRinging
        // `resume` from a target: its `accept` was lost with a room.
        case .acceptMessage, .resumeMessage: .connect
        case .declineMessage, .busyMessage, .hangUpMessage: .dropTarget
        case .endedMessage: .dropEndedTarget
        case .otherJoined: .greet
        case .otherLost, .roomLost, .roomJoined: .watch
        case .otherGone, .lostTimeOut: .dropAbsentTarget
        case .mediaFlows, .mediaStopped: .nothing
        case .ringTimeOut: .timeOutTargets
        }
    }

    private static func whenRinging(_ input: CallInput) -> CallOutcome {
        switch input {
        case .call: .refuse(.busy)
        case .answer: .acceptCall
        case .decline, .hangUp: .declineAndClose
        case .leaveRoom: .endForGood
        case .invite, .listedInvite, .winningInvite, .losingInvite: .refuseBusy
        case .repeatedInvite: .repeatRinging
        case .ringingMessage, .acceptMessage, .declineMessage, .busyMessage, .resumeMessage: .ignore
        case .cancelMessage, .hangUpMessage, .endedMessage: .settle
        case .otherJoined: .greet
        case .otherLost, .roomLost, .roomJoined: .watch
        case .otherGone, .lostTimeOut: .endLost
        case .mediaFlows, .mediaStopped: .nothing
        case .ringTimeOut: .timeOutAndClose
        }
    }

    private static func whenInCallAsCaller(_ input: CallInput) -> CallOutcome {
        switch input {
        case .call: .refuse(.busy)
        case .answer, .decline: .refuse(.noCall)
        case .hangUp: .hangUpAndSettle
        case .leaveRoom: .endForGood
        case .invite, .listedInvite, .winningInvite, .losingInvite: .refuseBusy
        case .repeatedInvite, .ringingMessage, .acceptMessage, .cancelMessage: .ignore
        case .declineMessage, .busyMessage, .hangUpMessage: .settleAndAnswer
        case .resumeMessage: .nothing
        case .endedMessage: .settle
        case .otherJoined: .greet
        case .otherLost, .roomLost, .roomJoined, .mediaFlows, .mediaStopped: .watch
        case .otherGone, .lostTimeOut: .endLost
        case .ringTimeOut: .nothing
        }
    }

    private static func whenInCallAsCallee(_ input: CallInput) -> CallOutcome {
        switch input {
        case .call: .refuse(.busy)
        case .answer, .decline: .refuse(.noCall)
        case .hangUp: .hangUpAndClose
        case .leaveRoom: .endForGood
        case .invite, .listedInvite, .winningInvite, .losingInvite: .refuseBusy
        case .repeatedInvite: .repeatAccept
        case .ringingMessage, .acceptMessage, .declineMessage, .busyMessage: .ignore
        case .cancelMessage, .hangUpMessage, .endedMessage: .settle
        case .resumeMessage: .nothing
        case .otherJoined: .greet
        case .otherLost, .roomLost, .roomJoined, .mediaFlows, .mediaStopped: .watch
        case .otherGone, .lostTimeOut: .endLost
        case .ringTimeOut: .nothing
        }
    }
}
