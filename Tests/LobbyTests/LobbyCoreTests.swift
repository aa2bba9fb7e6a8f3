import LobbyProtocol
import MediaTypes
import Testing

@testable import Lobby

@Suite struct LobbyCoreTests {
    @Test func aRoomIsMadeByTheFirstAndGoneWithTheLast() {
        var table = LobbyTable()
        #expect(table.join("a") == ["a: joined a beside []"])
        #expect(table.core.occupancy == (1, 1, 0))
        #expect(table.join("b") == ["b: joined b beside [a]", "a: +b"])
        #expect(table.join("c", room: "other") == ["c: joined c beside []"])
        #expect(table.core.occupancy == (2, 3, 0))
        #expect(table.say("a", .leave) == ["b: -a left", "a: left"])
        #expect(table.hangUp("b") == [])
        #expect(table.hangUp("c") == [])
        #expect(table.core.occupancy == (0, 0, 0))
    }

    @Test func theNewcomerIsToldTheStreamsThatAreThere() {
        var table = LobbyTable()
        table.join("a")
        #expect(table.say("a", .publish(stream("s1"))) == ["a: done"])
        #expect(table.say("a", .publish(stream("s2")), request: nil) == [])
        #expect(
            table.join("b") == ["b: joined b beside [a]", "b: +stream s1 of a", "b: +stream s2 of a", "a: +b"])
        #expect(table.say("b", .publish(stream("s3"))) == ["a: +stream s3 of b", "b: done"])
        #expect(table.say("a", .unpublish(stream: "s1")) == ["b: -stream s1 of a", "a: done"])
        #expect(table.hangUp("a") == ["b: -stream s2 of a", "b: -a connectionLost"])
        #expect(table.core.occupancy == (1, 1, 1))
    }

    @Test func aStreamIDIsUniqueInTheWholeLobby() {
        var table = LobbyTable()
        table.join("a")
        table.join("b", room: "other")
        _ = table.say("a", .publish(stream("s")))
        #expect(table.say("b", .publish(stream("s"))) == ["b: error streamIDTaken"])
        #expect(table.say("b", .unpublish(stream: "s")) == ["b: error unknownStream"])
        #expect(table.say("b", .change(stream: "s", audioMuted: true, videoMuted: nil)) == ["b: error unknownStream"])
        _ = table.say("a", .leave)
        #expect(table.say("b", .publish(stream("s"))) == ["b: done"])
    }

    @Test func aParticipantPublishesAFewStreamsAndMayRepeatItsOwn() {
        var table = LobbyTable()
        table.join("a")
        table.join("b")
        for index in 0..<4 { #expect(table.say("a", .publish(stream("s\(index)"))).last == "a: done") }
        #expect(table.say("a", .publish(stream("s4"))) == ["a: error tooManyStreams"])
        #expect(table.say("a", .publish(stream("s0"))) == ["a: done"])
        var changed = stream("s0")
        changed.videoMuted = true
        #expect(table.say("a", .publish(changed)) == ["b: stream s0 audio true video false", "a: done"])
        let empty = LobbyStream(id: "s9", hasAudio: false, hasVideo: false)
        #expect(table.say("a", .publish(empty)) == ["a: error badMessage"])
    }

    @Test func mutedStatesReachTheOthersAndTheNewcomer() {
        var table = LobbyTable()
        table.join("a")
        table.join("b")
        _ = table.say("a", .publish(stream("s")))
        #expect(
            table.say("a", .change(stream: "s", audioMuted: true, videoMuted: nil)) == [
                "b: stream s audio false video true", "a: done",
            ])
        // Nothing new is nothing told.
        #expect(table.say("a", .change(stream: "s", audioMuted: true, videoMuted: false)) == ["a: done"])
        table.connect("c")
        let texts = table.say("c", .join(LobbyJoin(room: "r", participantID: "c")))
        #expect(texts.contains("c: +stream s of a"))
    }

    @Test func signalsReachOnlyTheirReceiver() {
        var table = LobbyTable()
        for name in ["a", "b", "c"] { table.join(name) }
        let offer = LobbySignal.description(type: .offer, sdp: "v=0\r\n")
        #expect(table.say("a", .signal(to: "b", session: nil, offer), request: nil) == ["b: signal of a offer"])
        #expect(table.say("a", .signal(to: "b", session: nil, .endOfCandidates)) == ["b: signal of a end", "a: done"])
        #expect(table.say("a", .signal(to: "z", session: nil, offer)) == ["a: error unknownParticipant"])
        #expect(table.say("a", .signal(to: "z", session: nil, offer), request: nil) == [])
        #expect(table.say("a", .signal(to: "a", session: nil, offer)) == ["a: error notPermitted"])
    }

    @Test func aSignalForAFormerSessionIsDropped() {
        var table = LobbyTable()
        table.join("a")
        table.join("b")
        let session = table.core.rooms["r"]?.members[1].participant.session ?? -1
        #expect(
            table.say("a", .signal(to: "b", session: session, .endOfCandidates), request: nil) == ["b: signal of a end"]
        )
        table.join("b2", as: "b")
        #expect(table.say("a", .signal(to: "b", session: session, .endOfCandidates), request: nil) == [])
        #expect(
            table.say("a", .signal(to: "b", session: session, .endOfCandidates)) == ["a: error unknownParticipant"])
    }

    @Test func messagesGoToOneOrToAllOthers() {
        var table = LobbyTable()
        for name in ["a", "b", "c"] { table.join(name) }
        table.join("d", room: "other")
        #expect(
            table.say("a", .message(to: nil, body: ["x": 1])) == [
                #"b: message of a {"x":1}"#, #"c: message of a {"x":1}"#, "a: done",
            ])
        #expect(table.say("a", .message(to: "c", body: [:]), request: nil) == ["c: message of a {}"])
        #expect(table.say("a", .message(to: "d", body: [:])) == ["a: error unknownParticipant"])
    }

    @Test func aHostMayKickInALobbyWithoutKeys() {
        var table = LobbyTable()
        for name in ["a", "b"] { table.join(name) }
        table.connect("c")
        _ = table.say("c", .join(LobbyJoin(room: "r", participantID: "c", role: .audience)))
        #expect(table.say("c", .kick(participant: "a", text: nil)) == ["c: error notPermitted"])
        #expect(table.say("a", .kick(participant: "z", text: nil)) == ["a: error unknownParticipant"])
        _ = table.say("b", .publish(stream("s")))
        #expect(
            table.say("a", .kick(participant: "b", text: "bye")) == [
                "a: done", "b: kicked kicked a bye", "b closed 4403", "a: -stream s of b", "c: -stream s of b",
                "a: -b kicked", "c: -b kicked",
            ])
        // What it says after that is not heard, and its end is no news.
        #expect(table.say("b", .ping) == [])
        #expect(table.hangUp("b") == [])
    }

    @Test func anAudiencePlaysAndDoesNotPublish() {
        var table = LobbyTable()
        table.join("a")
        table.connect("b")
        _ = table.say("b", .join(LobbyJoin(room: "r", participantID: "b", role: .audience)))
        #expect(table.say("b", .publish(stream("s"))) == ["b: error notPermitted"])
        #expect(table.say("a", .publish(stream("s"))) == ["b: +stream s of a", "a: done"])
        table.connect("c")
        _ = table.say("c", .join(LobbyJoin(room: "r", participantID: "c", role: .audience)))
        // Two who only play have nothing to connect for.
        #expect(table.say("b", .signal(to: "c", session: nil, .endOfCandidates)) == ["b: error notPermitted"])
        #expect(table.say("b", .signal(to: "a", session: nil, .endOfCandidates)) == ["a: signal of b end", "b: done"])
    }

    @Test func aChangeOfRoleIsToldToAllAndEndsPublishing() {
        var table = LobbyTable()
        table.join("a")
        table.join("b")
        _ = table.say("a", .publish(stream("s")))
        #expect(table.say("a", .role(.host)) == ["a: done"])
        #expect(
            table.say("a", .role(.audience)) == [
                "b: -stream s of a", "a: a is audience, publishes false", "b: a is audience, publishes false",
                "a: done",
            ])
        #expect(table.core.occupancy == (1, 2, 0))
        #expect(table.say("a", .publish(stream("s"))) == ["a: error notPermitted"])
        #expect(table.say("a", .kick(participant: "b", text: nil)) == ["a: error notPermitted"])
        #expect(table.say("b", .role(.audience)).last == "b: done")
        #expect(table.say("a", .signal(to: "b", session: nil, .endOfCandidates)) == ["a: error notPermitted"])
        #expect(
            table.say("a", .role(.host), request: nil) == [
                "a: a is host, publishes true", "b: a is host, publishes true",
            ])
        #expect(table.say("a", .publish(stream("s"))) == ["b: +stream s of a", "a: done"])
    }

    @Test func whoMayNotReplaceIsRefusedWhileTheOtherIsThere() {
        var table = LobbyTable()
        table.join("a")
        table.connect("a2")
        let join = LobbyRequest.Body.join(LobbyJoin(room: "r", participantID: "a", mayReplace: false))
        #expect(table.say("a2", join) == ["a2: error participantPresent"])
        _ = table.hangUp("a")
        #expect(table.say("a2", join) == ["a2: joined a beside []"])
    }

    @Test func joiningElsewhereTakesThePlace() {
        var table = LobbyTable { $0.maximumParticipants = 2 }
        table.join("a")
        table.join("b")
        _ = table.say("a", .publish(stream("s")))
        #expect(
            table.join("a2", as: "a") == [
                "a: kicked joinedElsewhere - -", "a closed 4409", "b: -stream s of a", "b: -a joinedElsewhere",
                "a2: joined a beside [b]", "b: +a",
            ])
        #expect(table.hangUp("a") == [])
        #expect(table.say("a2", .publish(stream("s"))) == ["b: +stream s of a", "a2: done"])
    }

    @Test func roomsAndLobbyAreLimited() {
        var table = LobbyTable {
            $0.maximumParticipants = 2
            $0.maximumRooms = 2
        }
        table.join("a")
        table.join("b")
        #expect(table.join("c") == ["c: error roomFull"])
        #expect(table.say("c", .join(LobbyJoin(room: "r2"))).count == 1)
        #expect(table.join("d", room: "r3") == ["d: error lobbyFull"])
        #expect(table.say("a", .join(LobbyJoin(room: "r2"))) == ["a: error alreadyJoined"])
    }

    @Test func whoBringsNoIDGetsOne() {
        var table = LobbyTable()
        table.connect("a")
        table.connect("b")
        let first = table.say("a", .join(LobbyJoin(room: "r")))
        let second = table.say("b", .join(LobbyJoin(room: "r")))
        #expect(first.count == 1 && first[0].hasPrefix("a: joined p-"))
        #expect(second.count == 2)
        #expect(table.core.occupancy.participants == 2)
    }

    @Test func theFirstMessageIsAJoinAndInTime() {
        var table = LobbyTable()
        table.connect("a")
        table.connect("b")
        #expect(table.say("a", .ping) == ["a: pong"])
        for body in [LobbyRequest.Body.leave, .publish(stream("s")), .kick(participant: "b", text: nil)] {
            #expect(table.say("a", body) == ["a: error notJoined"])
        }
        #expect(table.wait(seconds: 9) == [])
        _ = table.say("b", .join(LobbyJoin(room: "r", participantID: "b")))
        #expect(table.wait(seconds: 1) == ["a closed 4400"])
        #expect(table.wait(seconds: 3600) == [])
        #expect(table.say("b", .leave) == ["b: left"])
        #expect(table.wait(seconds: 9) == [])
        #expect(table.say("b", .join(LobbyJoin(room: "r", participantID: "b"))) == ["b: joined b beside []"])
    }

    @Test func brokenMessagesAreAnsweredAndThenTooMany() {
        var table = LobbyTable()
        table.join("a")
        table.join("b")
        #expect(table.say("a", "{") == ["a: error badMessage unasked"])
        #expect(table.say("a", #"{"type":"kick","request":5}"#) == ["a: error badMessage"])
        for _ in 0..<100 { #expect(table.say("a", #"{"type":"later"}"#) == ["a: error unknownType unasked"]) }
        for _ in 0..<17 { _ = table.say("a", "[]") }
        #expect(
            table.say("a", "[]") == ["a: error badMessage unasked", "a closed 4400", "b: -a protocolViolation"])
    }

    @Test func tooManyMessagesAreTheEnd() {
        var table = LobbyTable()
        table.join("a")
        table.join("b")
        for _ in 0..<399 { #expect(table.say("a", .ping) == ["a: pong"]) }
        table.now = table.now + .seconds(2)
        for _ in 0..<100 { #expect(table.say("a", .ping) == ["a: pong"]) }
        #expect(table.say("a", .ping) == ["a closed 4429", "b: -a protocolViolation"])
        // At the average rate it goes on for ever.
        for _ in 0..<2000 {
            table.now = table.now + .milliseconds(20)
            #expect(table.say("b", .ping) == ["b: pong"])
        }
    }

    @Test func randomClientsNeverBreakTheRules() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("lobby core: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var table = LobbyTable { $0.maximumParticipants = 3 }
        let names = (0..<8).map { "c\($0)" }
        for _ in 0..<5000 {
            let name = names.randomElement(using: &random)!  // never empty
            let other = names.randomElement(using: &random)!  // never empty
            table.now = table.now + .milliseconds(30)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: table.join(name, room: Bool.random(using: &random) ? "r" : "q", as: other)
            case 1: _ = table.hangUp(name)
            case 2: _ = table.say(name, .publish(stream("s\(Int.random(in: 0..<6, using: &random))")))
            case 3: _ = table.say(name, .unpublish(stream: "s\(Int.random(in: 0..<6, using: &random))"))
            case 4: _ = table.say(name, .leave)
            case 5: _ = table.say(name, .kick(participant: other, text: nil))
            case 6: _ = table.say(name, .signal(to: other, session: nil, .endOfCandidates))
            case 7: _ = table.say(name, .role(Bool.random(using: &random) ? .host : .audience))
            case 8: _ = table.say(name, .message(to: nil, body: [:]))
            default: _ = table.wait(seconds: 1)
            }
            let rooms = table.core.rooms
            #expect(rooms.values.allSatisfy { (1...3).contains($0.members.count) })
            #expect(rooms.values.allSatisfy { Set($0.members.map(\.participant.id)).count == $0.members.count })
            let streams = rooms.values.flatMap { $0.members.flatMap { $0.streams.map(\.id) } }
            #expect(Set(streams) == Set(table.core.publishers.keys) && streams.count == Set(streams).count)
        }
    }
}
