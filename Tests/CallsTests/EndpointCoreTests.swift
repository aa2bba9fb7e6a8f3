import MediaTypes
import Testing

@testable import Calls

@Suite struct EndpointCoreTests {
    private func doorAndDesk(_ mode: JoiningMode = .onCall) throws -> CoreTable {
        var table = CoreTable()
        try table.add("door", mode: mode) { $0.targets = ["desk"] }
        try table.add("desk", mode: .auto)
        return table
    }

    @Test func inModeAutoEverythingIsOpenFromJoiningOn() throws {
        let table = try doorAndDesk()
        let plan = table.plan("desk")
        #expect(plan.publishes && plan.isMicrophoneOpen && plan.isCameraOn)
        #expect(plan.sendTo == .everybody && plan.playFrom == .everybody)
        #expect(plan.indicators.isSuperset(of: [.power, .joined]))
    }

    @Test func inModeOnCallMicrophoneAndCameraAreClosedUntilACallIsUpAndAfterIt() throws {
        var table = try doorAndDesk()
        func expectClosed() {
            let plan = table.plan("door")
            #expect(!plan.publishes && !plan.isMicrophoneOpen && !plan.isCameraOn)
            #expect(plan.sendTo == .nobody && plan.playFrom == .nobody)
        }
        expectClosed()
        try table.at("door") { core, now throws(ActionError) in try core.perform(.intercom, at: now) }
        expectClosed()
        #expect(table.plan("door").tone == .ringBack && table.plan("desk").tone == .ring)
        try table.at("desk") { core, now throws(ActionError) in try core.answer(at: now) }
        let plan = table.plan("door")
        #expect(plan.publishes && plan.isMicrophoneOpen && plan.isCameraOn)
        #expect(plan.sendTo == .only(["desk"]) && plan.playFrom == .only(["desk"]))
        #expect(plan.tone == .none && plan.indicators.contains(.inCall))
        try table.at("door") { core, now throws(ActionError) in try core.perform(.intercom, at: now) }
        expectClosed()
        #expect(table.core("door").lastCallEnd?.reason == .hungUp)
        #expect(table.core("desk").lastCallEnd?.reason == .hungUp)
    }

    @Test func whoWaitedAtTheDeviceHearsThatNobodyComes() throws {
        var table = try doorAndDesk()
        try table.at("door") { core, now throws(ActionError) in try core.perform(.call, at: now) }
        try table.at("desk") { core, now throws(ActionError) in try core.decline(at: now) }
        #expect(table.plan("door").tone == .busy)
        #expect(table.plan("desk").tone == .none)
        table.run(for: .seconds(4))
        #expect(table.plan("door").tone == .none)
    }

    @Test func switchesShowInThePlanAndPushToTalkGoesBeforeMute() throws {
        var table = try doorAndDesk()
        try table.at("desk") { core, now throws(ActionError) in try core.perform(.mute, at: now) }
        #expect(table.plan("desk").isMuted && table.plan("desk").indicators.contains(.muted))
        #expect(table.plan("desk").isMicrophoneOpen)
        try table.at("desk") { core, now throws(ActionError) in core.setTalking(true, at: now) }
        #expect(!table.plan("desk").isMuted)
        try table.at("desk") { core, now throws(ActionError) in core.setTalking(false, at: now) }
        #expect(table.plan("desk").isMuted)
        try table.at("desk") { core, now throws(ActionError) in try core.perform(.camera, at: now) }
        #expect(!table.plan("desk").isCameraOn && table.plan("desk").indicators.contains(.cameraOff))
        try table.at("desk") { core, now throws(ActionError) in try core.perform(.volumeDown, at: now) }
        #expect(table.plan("desk").volumePercent == 90)
    }

    @Test func theNextCallBeginsWithTheConfiguredSwitches() throws {
        var table = try doorAndDesk()
        for _ in 0..<2 {
            try table.at("door") { core, now throws(ActionError) in try core.perform(.call, at: now) }
            try table.at("desk") { core, now throws(ActionError) in try core.answer(at: now) }
            #expect(!table.plan("door").isMuted && table.plan("door").isCameraOn)
            try table.at("door") { core, now throws(ActionError) in try core.perform(.mute, at: now) }
            try table.at("door") { core, now throws(ActionError) in try core.perform(.camera, at: now) }
            try table.at("door") { core, now throws(ActionError) in try core.hangUp(at: now) }
        }
    }

    @Test func aListenerPublishesWhenAHostAcceptsAndStopsWhenItIsDone() throws {
        var table = CoreTable()
        try table.add("desk", mode: .auto)
        try table.add("pupil", mode: .listen)
        #expect(table.plan("pupil").role == .audience && !table.plan("pupil").isMicrophoneOpen)
        #expect(table.plan("pupil").playFrom == .everybody)
        try table.at("pupil") { core, now throws(ActionError) in try core.perform(.requestToSpeak, at: now) }
        #expect(table.core("desk").desk.pending.map(\.participant) == ["pupil"])
        try table.at("desk") { core, now throws(ActionError) in try core.decide("pupil", accepts: true, at: now) }
        #expect(table.plan("pupil").role == .host && table.plan("pupil").publishes)
        #expect(table.plan("pupil").isMicrophoneOpen && table.plan("pupil").sendTo == .everybody)
        try table.at("pupil") { core, now throws(ActionError) in try core.perform(.requestToSpeak, at: now) }
        #expect(table.plan("pupil").role == .audience && !table.plan("pupil").publishes)
    }

    @Test func aRejectedListenerStaysAudience() throws {
        var table = CoreTable()
        try table.add("desk", mode: .auto)
        try table.add("pupil", mode: .listen)
        try table.at("pupil") { core, now throws(ActionError) in try core.perform(.requestToSpeak, at: now) }
        try table.at("desk") { core, now throws(ActionError) in try core.decide("pupil", accepts: false, at: now) }
        #expect(table.core("pupil").speak.state == .idle && !table.plan("pupil").publishes)
        #expect(table.core("desk").desk.pending.isEmpty)
    }

    @Test func aHostMayMuteAnotherEndpointAndNobodyMayUnmuteIt() throws {
        var table = try doorAndDesk(.auto)
        try table.at("desk") { core, now throws(ActionError) in try core.tell("door", .mute, at: now) }
        #expect(table.plan("door").isMuted)
        try table.at("desk") { core, now throws(ActionError) in try core.tell("door", .mute, at: now) }
        #expect(table.plan("door").isMuted)
    }

    @Test func theDoorOpensOnlyForThePartnerOfTheCall() throws {
        var table = CoreTable()
        try table.add("door", mode: .onCall) {
            $0.targets = ["desk"]
            $0.permissions = CommandTable(permissions: [.openRelay: .partner])
        }
        try table.add("desk", mode: .auto)
        try table.add("thief", mode: .auto)
        func openings() -> Int {
            table.obeyed.filter { if case .openRelay = $0.output { $0.by == "door" } else { false } }.count
        }
        let order = RoomCommand.openRelay(name: nil, duration: nil)
        try table.at("desk") { core, now throws(ActionError) in try core.tell("door", order, at: now) }
        #expect(openings() == 0)
        try table.at("door") { core, now throws(ActionError) in try core.perform(.call, at: now) }
        try table.at("desk") { core, now throws(ActionError) in try core.tell("door", order, at: now) }
        #expect(openings() == 0)
        try table.at("desk") { core, now throws(ActionError) in try core.answer(at: now) }
        try table.at("thief") { core, now throws(ActionError) in try core.tell("door", order, at: now) }
        #expect(openings() == 0)
        try table.at("desk") { core, now throws(ActionError) in try core.tell("door", order, at: now) }
        #expect(openings() == 1)
        let refusals = table.obeyed.filter { if case .refused = $0.output { $0.by == "door" } else { false } }
        #expect(refusals.count == 3)
    }

    @Test func theLossOfTheRoomClosesNothingAndACallSurvivesIt() throws {
        var table = try doorAndDesk()
        try table.at("door") { core, now throws(ActionError) in try core.perform(.call, at: now) }
        try table.at("desk") { core, now throws(ActionError) in try core.answer(at: now) }
        table.loseServer()
        table.run(for: .seconds(3))
        #expect(table.core("door").room.state == .reconnecting)
        #expect(table.plan("door").isMicrophoneOpen && table.plan("door").sendTo == .only(["desk"]))
        #expect(table.plan("door").indicators.contains(.reconnecting))
        table.isServerUp = true
        table.run(for: .seconds(3))
        #expect(table.core("door").room.state == .reconnected)
        #expect(table.core("door").call.state == .inCall && table.core("desk").call.state == .inCall)
        #expect(table.plan("door").publishes)
    }

    @Test func whoIsKickedOutClosesEverything() throws {
        var table = try doorAndDesk(.auto)
        try table.at("door") { core, now throws(ActionError) in
            core.disconnected(RoomReason(.kicked, "removed"), at: now)
        }
        let plan = table.plan("door")
        #expect(!plan.isMicrophoneOpen && !plan.isCameraOn && plan.sendTo == .nobody)
        #expect(plan.indicators.contains(.fault))
    }

    @Test func whoDoesNotComeBackAfterTheRoomDidIsGoneInTenSeconds() throws {
        var table = try doorAndDesk(.auto)
        table.loseServer()
        table.kill("desk")
        table.isServerUp = true
        table.run(for: .seconds(5))
        #expect(table.core("door").room.state.isJoined)
        #expect(table.core("door").participants["desk"] != nil)
        table.run(for: .seconds(11))
        #expect(table.core("door").participants["desk"] == nil)
        #expect(table.obeyed.contains(CoreTable.Obeyed(by: "door", output: .participantGone("desk"))))
    }

    @Test func whoIsStillHeardIsWaitedForLonger() throws {
        var table = try doorAndDesk(.auto)
        try table.at("door") { core, now throws(ActionError) in
            core.mediaChanged(with: "desk", isFlowing: true, at: now)
        }
        table.loseServer()
        table.kill("desk")
        table.isServerUp = true
        table.run(for: .seconds(40))
        #expect(table.core("door").participants["desk"] != nil)
        #expect(table.core("door").presentParticipants.isEmpty)
        try table.at("door") { core, now throws(ActionError) in
            core.mediaChanged(with: "desk", isFlowing: false, at: now)
        }
        table.run(for: .seconds(11))
        #expect(table.core("door").participants["desk"] == nil)
    }

    @Test func actionsThatMakeNoSenseAreRefusedWithWords() throws {
        var table = CoreTable()
        try table.add("door", mode: .onCall) {
            $0.cameraCount = 1
            $0.hasMicrophone = false
        }
        func refusal(_ action: ButtonAction) -> ActionError? {
            do throws(ActionError) {
                try table.at("door") { core, now throws(ActionError) in try core.perform(action, at: now) }
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(.hangUp) == .noCall)
        #expect(refusal(.answer) == .noCall)
        #expect(refusal(.decline) == .noCall)
        #expect(refusal(.call) == .nobodyToCall)
        #expect(refusal(.mute) == .noMicrophone)
        #expect(refusal(.switchCamera) == .onlyOneCamera)
        #expect(refusal(.requestToSpeak) == .notAudience)
        #expect(refusal(.none) == nil)
    }

    @Test func aStreamIsPlayedWhileItIsWantedAndItsMediaArrives() throws {
        var table = try doorAndDesk()
        func state() -> PlayerState? { table.core("door").players["desk-main"]?.session.state }
        try table.at("door") { core, now throws(ActionError) in
            core.streamAdded("desk-main", of: "desk", at: now)
            core.mediaChanged(with: "desk", isFlowing: true, at: now)
        }
        #expect(state() == .idle)
        try table.at("door") { core, now throws(ActionError) in try core.perform(.call, at: now) }
        try table.at("desk") { core, now throws(ActionError) in try core.answer(at: now) }
        #expect(state() == .playing)
        try table.at("door") { core, now throws(ActionError) in
            core.mediaChanged(with: "desk", isFlowing: false, at: now)
        }
        #expect(state() == .requesting)
        try table.at("door") { core, now throws(ActionError) in core.streamRemoved("desk-main") }
        #expect(state() == nil)
    }

    @Test func aStreamThatIsNotThereAfterTheRoomCameBackIsForgotten() throws {
        var table = try doorAndDesk(.auto)
        try table.at("door") { core, now throws(ActionError) in core.streamAdded("desk-main", of: "desk", at: now) }
        table.loseServer()
        table.isServerUp = true
        table.run(for: .seconds(5))
        #expect(table.core("door").room.state == .reconnected)
        #expect(table.core("door").players["desk-main"] != nil)
        table.run(for: .seconds(11))
        #expect(table.core("door").players["desk-main"] == nil)
    }
}
