import Calls
import MediaTypes
import PeerConnection
import Realtime
import Testing

@testable import Endpoint

/// Two routers over UDP on 127.0.0.1.
@Suite(.serialized) struct MediaRouterTests {
    private func withPair(_ test: (RouterPair) async throws -> Void) async throws {
        let pair = try await RouterPair()
        await pair.join(newcomer: "door")
        #expect(await pair.flows(), "\(pair.lines())")
        do {
            try await test(pair)
        } catch {
            await pair.close()
            throw error
        }
        await pair.close()
    }

    /// Both know that they lost the room, or one does.
    private func loseRoom(_ pair: RouterPair, _ names: [String]) async {
        for name in names { await pair.on(name) { $0.roomLost() } }
        for name in RouterPair.names where !names.contains(name) {
            await pair.on(name) { $0.participantLost(RouterPair.other(name)) }
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["door", "desk"], [1, 2])
    func aConnectionSurvivesARejoinOfOneOrBoth(newcomer: String, lost: Int) async throws {
        try await withPair { pair in
            let before = (await pair.connectionCount("door"), await pair.connectionCount("desk"))
            await loseRoom(pair, lost == 2 ? RouterPair.names : [newcomer])
            #expect(await pair.flows(), "media goes on without a room")
            await pair.join(newcomer: newcomer)
            for name in RouterPair.names { await pair.on(name) { $0.roomJoined() } }
            #expect(await pair.flows(), "\(pair.lines())")
            let after = (await pair.connectionCount("door"), await pair.connectionCount("desk"))
            #expect(before == after)
            #expect(!pair.lines().contains { $0.contains("closed") || $0.contains("failed") }, "\(pair.lines())")
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["door", "desk"], [true, false])
    func aFarSideInAnotherProcessGetsANewConnection(newcomer: String, hasNewCertificate: Bool) async throws {
        try await withPair { pair in
            // The process of the desk is another one now, and the door does not know.
            await pair.muteSignals(of: "desk", true)
            try await pair.makeRouter("desk", newCertificate: hasNewCertificate)
            await pair.muteSignals(of: "desk", false)
            await pair.join(newcomer: newcomer)
            #expect(await pair.flows(), "\(pair.lines())")
            #expect(await pair.connectionCount("door") == 2)
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["door", "desk"], ["door", "desk"])
    func anExchangeThatTheRoomLostDoesNotKeepTheNextOneFromEnding(newcomer: String, muted: String) async throws {
        try await withPair { pair in
            await pair.muteSignals(of: muted, true)
            // An offer whose answer is lost, or that is lost itself.
            await pair.on("door") { $0.peers["desk"]?.connection?.restartICE() }
            #expect(await pair.wait(.seconds(5)) { pair.lines().contains { $0.contains("lost)") } })
            await loseRoom(pair, RouterPair.names)
            await pair.muteSignals(of: muted, false)
            await pair.join(newcomer: newcomer)
            #expect(await pair.flows(), "\(pair.lines())")
            // And the far side's exchanges work, too.
            for name in RouterPair.names {
                let count = pair.lines().count { $0.contains("answer") }
                await pair.on(name) { $0.peers[RouterPair.other(name)]?.connection?.restartICE() }
                #expect(await pair.wait(.seconds(5)) { pair.lines().count { $0.contains("answer") } > count })
            }
            #expect(await pair.flows(), "\(pair.lines())")
            #expect(await pair.connectionCount("door") == 1)
        }
    }

    @Test(.timeLimit(.minutes(2))) func mediaGoesOnlyWhereItIsToGoAndComesBackWithoutAnOffer() async throws {
        try await withPair { pair in
            let offers = pair.lines().count { $0.hasSuffix("offer") }
            await pair.on("door") { $0.setRouting(sendTo: .nobody, playFrom: .everybody) }
            try? await Task.sleep(nanoseconds: 300_000_000)
            let before = await pair.status(of: "desk")?.connection?.media.lines.map(\.received.packets)
            try? await Task.sleep(nanoseconds: 1_000_000_000)
            #expect(await pair.status(of: "desk")?.connection?.media.lines.map(\.received.packets) == before)
            #expect(await pair.status(of: "desk")?.state == .connected)
            await pair.on("desk") { $0.setRouting(sendTo: .everybody, playFrom: .nobody) }
            await pair.on("door") { $0.setRouting(sendTo: .only(["desk"]), playFrom: .everybody) }
            try? await Task.sleep(nanoseconds: 500_000_000)
            #expect(await pair.status(of: "desk")?.video == nil, "what is not played is not decoded")
            let start = MonotonicClock.now()
            await pair.on("desk") { $0.setRouting(sendTo: .everybody, playFrom: .only(["door"])) }
            #expect(
                await pair.wait(.seconds(10)) {
                    let played = await pair.played("desk")
                    return played.pictures > 0 && played.sound > 0.1
                })
            print("sound and picture \((MonotonicClock.now() - start).milliseconds) ms after they were to be played")
            #expect(pair.lines().count { $0.hasSuffix("offer") } == offers)
        }
    }

    @Test(.timeLimit(.minutes(2))) func aLostParticipantIsKeptWhileItsPacketsCome() async throws {
        try await withPair { pair in
            await pair.on("door") { $0.participantLost("desk") }
            try? await Task.sleep(nanoseconds: 2_000_000_000)
            #expect(await pair.status(of: "door")?.state == .connected)
            let start = MonotonicClock.now()
            await pair.on("desk") { $0.stop() }
            #expect(await pair.wait(.seconds(5)) { await pair.status(of: "door") == nil })
            print("given up after \((MonotonicClock.now() - start).milliseconds) ms")
        }
    }

    @Test(.timeLimit(.minutes(2))) func aConnectionThatTheFarSideClosesIsMadeAnewByItself() async throws {
        try await withPair { pair in
            await pair.on("desk") { $0.peers["door"]?.connection?.close() }
            #expect(await pair.wait(.seconds(5)) { pair.lines().contains("door: closed") })
            #expect(await pair.flows(), "\(pair.lines())")
        }
    }
}
