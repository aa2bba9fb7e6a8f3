import Calls
import Testing

@testable import Endpoint

@Suite struct StatusLineTests {
    private static func line(
        _ state: RoomState, reason: RoomReason = .requested, call: CallState = .idle, partner: String? = nil,
        others: Int = 0, faults: Int = 0, isRestartWanted: Bool = false, isRoomNamed: Bool = true
    ) -> String {
        StatusLine(
            room: "reception", isRoomNamed: isRoomNamed, state: state, reason: reason, call: call, partner: partner,
            otherCount: others, faultCount: faults, isRestartWanted: isRestartWanted
        ).text
    }

    @Test func itSaysInWordsHowTheRoomIs() {
        #expect(Self.line(.loggingIn) == "joining reception")
        #expect(Self.line(.loggedIn) == "joined reception, alone")
        #expect(Self.line(.reconnected, others: 1) == "joined reception, with 1 other")
        #expect(Self.line(.loggedIn, others: 4) == "joined reception, with 4 others")
        let away = RoomReason(.transient, "the lobby does not answer")
        #expect(
            Self.line(.loginFailed, reason: away) == "not joined reception: the lobby does not answer; trying again")
        #expect(Self.line(.reconnecting, reason: away) == "lost reception: the lobby does not answer; trying again")
        #expect(
            Self.line(.kickedOut, reason: RoomReason(.kicked, "by ada")) == "removed from reception: by ada")
        #expect(Self.line(.loggedOut) == "reception is left")
    }

    @Test func itSaysWhoTalks() {
        #expect(
            Self.line(.loggedIn, call: .inCall, partner: "desk", others: 1, faults: 1, isRestartWanted: true)
                == "joined reception, with 1 other; in a call with desk; 1 fault; restarts when nobody talks")
        #expect(Self.line(.loggedIn, call: .ringing, partner: "desk").hasSuffix("; rung by desk"))
        #expect(Self.line(.loggedIn, call: .calling, partner: "desk", faults: 2).hasSuffix("; calling desk; 2 faults"))
    }

    @Test func withoutARoomServiceItSaysWhatToConfigure() {
        let away = RoomReason(.transient, "refused")
        #expect(
            Self.line(.loginFailed, reason: away, isRoomNamed: false)
                == "no room service is configured: set room.url (refused)")
    }
}
