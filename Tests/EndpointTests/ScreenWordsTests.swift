import Calls
import Configuration
import MediaTypes
import Rooms
import Testing

@testable import Endpoint

@Suite struct ScreenWordsTests {
    let now = MonotonicTime(nanoseconds: 1_000_000_000)

    func words(_ core: EndpointCore, _ settings: EndpointSettings, reason: RoomReason = .requested) -> ScreenWords {
        ScreenWords(
            core: core, settings: settings, reason: reason, streams: [:], addresses: ["192.168.1.20", "fd00::5"])
    }

    func settings(hosting address: String? = nil) throws -> EndpointSettings {
        var configuration = Configuration()
        configuration.device.id = "gate"
        configuration.device.name = "Front gate"
        configuration.room.url = "ws://192.168.1.2:8080/ws"
        configuration.lobby.isHosted = address != nil
        configuration.lobby.address = address ?? "127.0.0.1"
        return try EndpointSettings(configuration)
    }

    @Test func theScreenSaysWhoWhereAndHowThingsStand() throws {
        let settings = try settings(hosting: "::")
        var core = EndpointCore(settings: settings.core, seed: 1)
        var content = words(core, settings).content
        #expect(content.title == "Front gate" && content.room == "Room reception")
        #expect(content.state == "Not in the room" && content.mood == .bad)
        #expect(content.addresses == ["Address: 192.168.1.20, fd00::5", "Page: http://192.168.1.20:8080/"])
        try core.join(at: now)
        content = words(core, settings).content
        #expect(content.state == "Joining…" && content.mood == .waiting)
        let refused = RoomReason(.transient, "Connection refused")
        core.joinFailed(attempt: core.room.attempt, refused, at: now)
        content = words(core, settings, reason: refused).content
        #expect(content.state == "No connection to the room: Connection refused, trying again")
        #expect(content.mood == .waiting && content.notice == content.state)
    }

    @Test func participantsTheirStreamsAndMarksAreTiles() throws {
        let settings = try settings()
        var core = EndpointCore(settings: settings.core, seed: 1)
        try core.join(at: now)
        let others = [
            Participant(id: "desk", name: "Reception"), Participant(id: "b", name: ""),
            Participant(id: "c", name: "Attic"),
        ]
        core.joined(attempt: core.room.attempt, present: others, at: now)
        core.streamAdded("desk-main", of: "desk", at: now)
        core.streamAdded("b-main", of: "b", at: now)
        var words = words(core, settings)
        words.streams["desk-main"] = RemoteStream(
            id: "desk-main", participant: "desk", hasAudio: true, hasVideo: true, isAudioMuted: true,
            isVideoMuted: false)
        words.streams["b-main"] = RemoteStream(
            id: "b-main", participant: "b", hasAudio: true, hasVideo: false, isAudioMuted: false, isVideoMuted: false)
        let content = words.content
        #expect(content.state == "Ready; here: b, Attic, Reception" && content.mood == .good && content.notice == "")
        #expect(content.tiles.map(\.name) == ["Reception", "b"])
        #expect(content.tiles.map(\.isMicrophoneMuted) == [true, false])
        #expect(content.tiles.map(\.isCameraOff) == [false, true])
        #expect(content.addresses.count == 1)
    }

    @Test func aLobbyOfOneAddressHasItsPageThere() throws {
        #expect(
            try settings(hosting: "10.0.0.7").lobbyPage == LobbyPage(scheme: "http", address: "10.0.0.7", port: 8080))
    }

    @Test(arguments: ["127.0.0.1", "127.0.1.1", "::1", "localhost"])
    func aPageThatOnlyThisMachineReachesIsNotOnTheScreen(address: String) throws {
        let settings = try settings(hosting: address)
        let content = words(EndpointCore(settings: settings.core, seed: 1), settings).content
        #expect(content.addresses == ["Address: 192.168.1.20, fd00::5"])
    }
}
