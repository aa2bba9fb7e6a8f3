import Calls
import Glibc
import Lobby
import LobbyProtocol
import Testing
import WebSockets

@testable import Rooms

private let key = LobbyKey(name: "api", secret: Array("0123456789abcdef0123456789abcdef".utf8))

@Suite(.serialized, .timeLimit(.minutes(3))) struct LobbyRoomServiceTests {
    private let stream = LocalStream(id: "s", hasAudio: true, hasVideo: true)

    @Test func membersSeeEachOtherAndConnectFromTheNewcomer() async throws {
        try await withLobby { _, members in
            let all = try members(2)
            let (b, a) = (all[0], all[1])
            #expect(try await b.join("b").participant.id == "b")
            try await a.join("a")
            #expect(await a.sees(.participantJoined(Participant(id: "b", name: ""))))
            #expect(await a.sees(.connectionWanted("b", isPolite: true, startsOffer: true)))
            #expect(await b.sees(.participantJoined(Participant(id: "a", name: ""))))
            #expect(await b.sees(.connectionWanted("a", isPolite: false, startsOffer: false)))

            a.service.send(.description(type: "offer", sdp: "v=0\r\n"), on: "b")
            a.service.send(.candidate(candidate: "candidate:1", mid: "0", lineIndex: 0), on: "b")
            a.service.send(.endOfCandidates, on: "b")
            #expect(await b.sees(.signal("a", .endOfCandidates)))
            #expect(
                b.events.suffix(3) == [
                    .signal("a", .description(type: "offer", sdp: "v=0\r\n")),
                    .signal("a", .candidate(candidate: "candidate:1", mid: "0", lineIndex: 0)),
                    .signal("a", .endOfCandidates),
                ])
            await a.service.leave()
            #expect(await b.sees(.participantLeft("a", reason: .left)))
            #expect(b.events.contains(.connectionClosed("a")))
        }
    }

    @Test func streamsAndMutedStatesReachEarlyAndLateMembers() async throws {
        try await withLobby { _, members in
            let all = try members(3)
            try await all[0].join("a")
            try await all[1].join("b")
            try await all[0].service.publish(stream)
            let added = RemoteStream(
                id: "s", participant: "a", hasAudio: true, hasVideo: true, isAudioMuted: false, isVideoMuted: false)
            #expect(await all[1].sees(.streamAdded(added)))
            var changed = stream
            changed.isVideoMuted = true
            all[0].service.change(changed)
            var muted = added
            muted.isVideoMuted = true
            #expect(await all[1].sees(.streamChanged(muted)))
            try await all[2].join("c")
            #expect(await all[2].sees(.streamAdded(muted)))
            try await all[0].service.unpublish("s")
            #expect(await all[2].sees(.streamRemoved("s")))
            try await all[2].service.send(message: ["open": true], to: "b")
            #expect(await all[1].sees(.messageReceived(from: "c", ["open": true])))
        }
    }

    @Test func aTakenStreamIDIsRefusedWithAClearError() async throws {
        try await withLobby { _, members in
            let all = try members(2)
            try await all[0].join("a")
            try await all[1].join("b", room: "other")
            try await all[0].service.publish(stream)
            await #expect(throws: RoomError.streamIDTaken("a stream with the id s is published already")) {
                try await all[1].service.publish(stream)
            }
        }
    }

    @Test func aFullRoomIsToldAndMayBeTriedAgain() async throws {
        try await withLobby({ $0.maximumParticipants = 1 }) { _, members in
            let all = try members(2)
            try await all[0].join("a")
            guard case .roomFull = await all[1].joinError("b") else {
                Issue.record("not full")
                return
            }
            await all[0].service.leave()
            try await all[1].join("b")
        }
    }

    @Test func tokensOpenTheRoomAndItsErrorsAreTold() async throws {
        try await withLobby({ $0.keys = [key] }) { _, members in
            let all = try members(2)
            let claims = TokenClaims(participantID: "a", room: "r", expiration: Int64(time(nil)) + 60)
            let joined = try await all[0].join("a", token: Token.mint(claims, key: key))
            #expect(joined.participant.id == "a")
            var expired = claims
            expired.expiration -= 600
            for token in [nil, "garbage", Token.mint(expired, key: key)] {
                guard case .refusedToken(let text) = await all[1].joinError("a", token: token) else {
                    Issue.record("not refused")
                    continue
                }
                #expect(token.map { !text.contains($0) } ?? true)
            }
        }
    }

    @Test func whoIsKickedOrJoinsElsewhereIsTold() async throws {
        try await withLobby { _, members in
            let all = try members(3)
            try await all[0].join("a")
            try await all[1].join("b")
            try await all[0].service.kick("b", text: "bye")
            #expect(await all[1].sees(.kickedOut(RoomReason(.kicked, "removed by a: bye"))))
            #expect(await all[0].sees(.participantLeft("b", reason: .kicked)))
            try await all[1].join("b")
            try await all[2].join("b")
            #expect(await all[1].sees(.kickedOut(RoomReason(.joinedElsewhere, RoomError.elsewhereText))))
            #expect(await all[0].sees(.participantLeft("b", reason: .joinedElsewhere)))
            await #expect(throws: RoomError.notJoined) { try await all[1].service.publish(stream) }
            try await all[2].service.publish(stream)
            // Whoever was replaced waits until the place is free.
            #expect(await all[1].joinError("b", mayReplace: false) == .joinedElsewhere(RoomError.elsewhereText))
            await all[2].service.leave()
            try await all[1].join("b", mayReplace: false)
        }
    }

    @Test func aChangeOfRoleIsToldAndConnectsOrParts() async throws {
        try await withLobby { _, members in
            let all = try members(3)
            let (a, b, c) = (all[0], all[1], all[2])
            try await a.join("a", role: .audience)
            try await b.join("b", role: .audience)
            try await c.join("c", role: .host)
            #expect(await b.sees(.connectionWanted("c", isPolite: true, startsOffer: false)))
            #expect(b.events.contains(.participantJoined(Participant(id: "a", name: "", role: .audience))))
            #expect(!b.events.contains { if case .connectionWanted("a", _, _) = $0 { true } else { false } })

            try await a.service.change(role: .host)
            // The one that changed offers; nothing happens between two that were connected already.
            #expect(await a.sees(.connectionWanted("b", isPolite: true, startsOffer: true)))
            #expect(await b.sees(.connectionWanted("a", isPolite: false, startsOffer: false)))
            #expect(await c.sees(.participantChanged(Participant(id: "a", name: "", role: .host))))
            try await a.service.publish(stream)
            #expect(
                await c.sees(
                    .streamAdded(
                        RemoteStream(
                            id: "s", participant: "a", hasAudio: true, hasVideo: true, isAudioMuted: false,
                            isVideoMuted: false))))

            try await a.service.change(role: .audience)
            #expect(await b.sees(.connectionClosed("a")))
            #expect(await a.sees(.connectionClosed("b")))
            #expect(await c.sees(.participantChanged(Participant(id: "a", name: "", role: .audience))))
            #expect(c.events.contains(.streamRemoved("s")))
            #expect(!c.events.contains(.connectionClosed("a")))
            #expect(!a.events.contains { if case .participantChanged = $0 { true } else { false } })
            await #expect(throws: RoomError.notPermitted("your token or role does not allow to publish")) {
                try await a.service.publish(stream)
            }
        }
    }

    @Test func theServersRecommendedByTheLobbyAreInTheAnswer() async throws {
        let server = LobbyICEServer(urls: ["turn:192.0.2.1:3478"], username: "alice", credential: "secret")
        try await withLobby({ $0.iceServers = [server] }) { _, members in
            let joined = try await members(1)[0].join("a")
            #expect(
                joined.iceServers == [
                    RoomICEServer(urls: ["turn:192.0.2.1:3478"], username: "alice", credential: "secret")
                ])
            #expect(!"\(joined)".contains("secret"))
        }
    }

    @Test func aCheckedConnectionIsKeptWhileTheLobbyAnswersAndGivenUpWithinASecondAndAHalfWhenNot() async throws {
        try await withLobby { _, members in
            let a = try members(1)[0]
            a.service.checkConnection()
            try await a.join("a")
            for _ in 0..<3 {
                a.service.checkConnection()
                try await Task.sleep(nanoseconds: 500_000_000)
            }
            try await a.service.publish(stream)
            #expect(a.events.isEmpty)
        }
        // Joins, and then says nothing more.
        let server = RawServer()
        let member = try Member(url: "ws://127.0.0.1:\(server.port)")
        let joined = LobbyEvent(
            inReplyTo: 1,
            .joined(
                LobbyJoined(
                    room: "r", participant: LobbyParticipant(id: "a", name: "", role: .host, session: 1),
                    canPublishData: true, canKick: true, maximumParticipants: 6, participants: [], iceServers: [])))
        let answering = Task.detached { server.answerHandshake(thenSend: [joined.text]) }
        try await member.join("a")
        let connection = await answering.value
        let start = ContinuousClock.now
        member.service.checkConnection()
        #expect(
            await member.sees(.disconnected(.connectionLost("the lobby does not answer since the network changed"))))
        let took = ContinuousClock.now - start
        print("given up after \(took)")
        #expect(took > .milliseconds(900) && took < .seconds(3))
        close(connection)
        await member.service.close()
    }

    @Test func wrongMomentsAreRefused() async throws {
        try await withLobby { _, members in
            let a = try members(1)[0]
            await #expect(throws: RoomError.notJoined) { try await a.service.publish(stream) }
            await a.service.leave()
            try await a.join("a")
            #expect(await a.joinError("a") == .alreadyInRequestedState)
            await #expect(throws: RoomError.self) { try await a.service.kick("nobody", text: nil) }
            await #expect(throws: RoomError.self) { try await a.service.unpublish("nothing") }
            await a.service.leave()
            await a.service.leave()
            try await a.join("a")
        }
    }

    @Test func aConnectionThatIsGivenUpIsLostForTheOthersAndNotLeft() async throws {
        try await withLobby { _, members in
            let all = try members(2)
            try await all[0].join("a")
            try await all[1].join("b")
            #expect(await all[0].sees(.participantJoined(Participant(id: "b", name: ""))))
            let service = all[1].service
            service.ended(service.state.withLock { $0.connection }, .connectionLost("no answer"))
            #expect(await all[0].sees(.participantLeft("b", reason: .connectionLost)))
            #expect(!all[0].events.contains(.connectionClosed("b")))
            // Back in the place of a connection that the lobby still believes in.
            try await all[1].join("b")
            let other = try members(1)[0]
            try await other.join("b")
            #expect(await all[0].sees(.participantLeft("b", reason: .joinedElsewhere)))
            #expect(!all[0].events.contains(.connectionClosed("b")))
        }
    }

    @Test func aLobbyThatStopsIsLostAndMayBeJoinedAgainLater() async throws {
        try await withLobby { lobby, members in
            let a = try members(1)[0]
            let port = lobby.port
            try await a.join("a")
            lobby.stop()
            #expect(await a.sees(.disconnected(.connectionLost("the lobby stops"))))
            guard case .unreachable = await a.joinError("a") else {
                Issue.record("still reachable")
                return
            }
            let second = LobbyServer(LobbyConfiguration(port: port))
            try second.start()
            try await a.join("a")
            await a.service.leave()
            second.stop()
        }
    }

    @Test func aJoinIsCancelledByLeaveAndByItsTask() async throws {
        // The port is open, but nobody answers.
        let mute = RawServer()
        let member = try Member(url: "ws://127.0.0.1:\(mute.port)")
        let joining = Task { await member.joinError("a") }
        try await Task.sleep(nanoseconds: 100_000_000)
        #expect(await member.joinError("a") == .operationInProgress)
        let start = ContinuousClock.now
        await member.service.leave()
        #expect(await joining.value == .cancelled)
        let again = Task { await member.joinError("a") }
        try await Task.sleep(nanoseconds: 50_000_000)
        again.cancel()
        #expect(await again.value == .cancelled)
        let cancelledBefore = Task { () -> RoomError? in
            while !Task.isCancelled { await Task.yield() }
            return await member.joinError("a")
        }
        cancelledBefore.cancel()
        #expect(await cancelledBefore.value == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(5))
        await member.service.close()
    }

    @Test func garbageFromAServerEndsInAnError() async throws {
        let server = RawServer()
        let member = try Member(url: "ws://127.0.0.1:\(server.port)")
        let frames = [
            "garbage", "[]", "{}", #"{"type":"joined","inReplyTo":1}"#, #"{"type":"streamAdded"}"#,
            #"{"type":"participantLeft","participant":"x","session":1}"#, #"{"type":"signal","from":"x","session":1}"#,
        ]
        let answering = Task.detached {
            server.answerHandshake(thenSend: Array(repeating: frames, count: 4).flatMap { $0 })
        }
        guard case .protocolViolation = await member.joinError("a") else {
            Issue.record("no protocol violation")
            return
        }
        close(await answering.value)
        #expect(member.events.isEmpty)
        await member.service.close()
    }

    @Test func whoIsCutOffIsSeenAsLeftAtOnceAndWhoIsSilentWithinTwelveSeconds() async throws {
        try await withLobby { lobby, members in
            let a = try members(1)[0]
            try await a.join("a")
            let cut = RawLobbyClient(port: lobby.port, id: "cut")
            let silent = RawLobbyClient(port: lobby.port, id: "silent")
            #expect(await a.sees(.participantJoined(Participant(id: "silent", name: ""))))
            let start = ContinuousClock.now
            cut.cut()
            #expect(await a.sees(.participantLeft("cut", reason: .connectionLost)))
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(await a.sees(.participantLeft("silent", reason: .timedOut)))
            #expect(ContinuousClock.now - start < .seconds(12))
            _ = silent
        }
    }

    @Test func fiftyJoinsAndLeavesLeaveNoThreadAndNoDescriptor() async throws {
        try await withLobby { _, members in
            let all = try members(2)
            try await all[1].join("b")
            try await all[0].join("a")
            await all[0].service.leave()
            let before = (count(in: "/proc/self/fd"), count(in: "/proc/self/task"))
            for _ in 0..<50 {
                try await all[0].join("a")
                try await all[0].service.publish(stream)
                await all[0].service.leave()
            }
            #expect(await eventually { count(in: "/proc/self/fd") <= before.0 + 10 })
            #expect(await eventually { count(in: "/proc/self/task") <= before.1 + 10 })
            #expect(
                await eventually {
                    all[1].events.filter { $0 == .participantLeft("a", reason: .left) }.count == 51
                })
        }
    }
}

func count(in folder: String) -> Int {
    guard let stream = opendir(folder) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count
}
