import Calls
import Configuration
import Endpoint
import Glibc
import JSONText
import Lobby
import MediaTypes
import Realtime
import Rooms
import Testing
import WebSockets

@Suite(.serialized) struct JoinLeaveTests {
    func isConnected(_ status: JSONValue, with id: String) -> Bool {
        status["participants"]?.array?.contains { $0["id"]?.string == id && $0["connection"]?.string == "connected" }
            ?? false
    }

    @Test(.timeLimit(.minutes(5))) func twoEndpointsHearEachOtherAndSeeTheOtherLeave() async throws {
        let pair = try EndpointPair()
        let door = try pair.start(pair.configuration("door"))
        let desk = try pair.start(pair.configuration("desk"))
        #expect(await door.wait { isConnected($0, with: "desk") })
        #expect(await desk.wait { ($0["played"]?["audio_seconds"]?.number ?? 0) > 1 })
        #expect(await door.wait { ($0["played"]?["audio_seconds"]?.number ?? 0) > 1 })
        await desk.leave()
        #expect(await door.wait { $0["participants"]?.array?.isEmpty == true })
        #expect(await desk.appliance.status().json["state"]?.string == "loggedOut")
        await door.leave()
    }

    @Test(.timeLimit(.minutes(10))) func fiftyJoinsAndLeavesLeaveNoThreadAndNoDescriptor() async throws {
        let pair = try EndpointPair()
        let desk = try pair.start(pair.configuration("desk"))
        #expect(await desk.wait { $0["state"]?.string == "loggedIn" })
        func joinAndLeave() async throws {
            let door = try pair.start(pair.configuration("door"))
            #expect(await door.wait { isConnected($0, with: "desk") })
            await door.leave()
            #expect(await desk.wait { $0["participants"]?.array?.isEmpty == true })
        }
        // Libraries open what they keep.
        try await joinAndLeave()
        // Other suites of this process come and go: the smallest difference of five rounds is this test's own.
        var threads = Int.max
        var descriptors = Int.max
        for _ in 0..<5 {
            let before = ProcessUsage.read()
            for _ in 0..<10 { try await joinAndLeave() }
            let after = ProcessUsage.read()
            threads = min(threads, after.threadCount - before.threadCount)
            descriptors = min(descriptors, after.descriptorCount - before.descriptorCount)
        }
        print("left after 10 joins and leaves: \(threads) threads, \(descriptors) descriptors")
        #expect(threads <= 0)
        #expect(descriptors <= 0)
        await desk.leave()
    }

    @Test(.timeLimit(.minutes(5))) func anEndpointRejoinsWhenTheLobbyIsBack() async throws {
        let pair = try EndpointPair()
        let door = try pair.start(pair.configuration("door"))
        #expect(await door.wait { $0["state"]?.string == "loggedIn" })
        let port = pair.lobby.port
        pair.lobby.stop()
        #expect(await door.wait { $0["state"]?.string == "reconnecting" })
        let again = LobbyServer(LobbyConfiguration(address: "127.0.0.1", port: port))
        try again.start()
        #expect(await door.wait { $0["state"]?.string == "reconnected" })
        await door.leave()
        again.stop()
    }

    @Test(.timeLimit(.minutes(5))) func leavingWhileTheLobbyIsAwayReturnsAtOnce() async throws {
        let pair = try EndpointPair()
        let configuration = pair.configuration("door")
        pair.lobby.stop()
        let door = try pair.start(configuration)
        #expect(await door.wait { $0["state"]?.string == "loginFailed" })
        let start = MonotonicClock.now()
        await door.leave()
        let took = MonotonicClock.now() - start
        print("left in \(took.milliseconds) ms")
        #expect(took < .seconds(5))
    }

    @Test(.timeLimit(.minutes(5))) func aStreamIDThatIsTakenIsRefusedWithAClearError() async throws {
        let pair = try EndpointPair()
        let door = try pair.start(pair.configuration("door"))
        #expect(await door.wait { $0["state"]?.string == "loggedIn" })
        // The same participant id in another room would publish the same stream id.
        let other = try pair.start(pair.configuration("door", room: "elsewhere"))
        #expect(await other.wait { $0["publisher"]?["fault"]?.string != nil })
        #expect(await other.wait { $0["state"]?.string == "loggedIn" })
        let reason = await other.appliance.status().json["publisher"]?["fault"]?.string ?? ""
        print(reason)
        #expect(reason.contains("door-main"))
        await other.leave()
        await door.leave()
    }

    @Test(.timeLimit(.minutes(5))) func aConnectionThatFailsIsMadeAnew() async throws {
        let pair = try EndpointPair()
        // A participant that joins and never answers an offer.
        let silent = LobbyRoomService(
            url: try WebSocketURL("ws://127.0.0.1:\(pair.lobby.port)/ws"), trust: .system)
        _ = try await silent.join(
            JoinRequest(room: "reception", participant: Participant(id: "silent", name: ""), token: nil))
        let door = try pair.start(pair.configuration("door"))
        var offers = 0
        let start = MonotonicClock.now()
        for await event in silent.events {
            guard case .signal("door", .description("offer", _)) = event else { continue }
            offers += 1
            print("offer \(offers) after \((MonotonicClock.now() - start).milliseconds) ms")
            if offers == 2 { break }
        }
        #expect(offers == 2)
        await door.leave()
        await silent.close()
    }
}
