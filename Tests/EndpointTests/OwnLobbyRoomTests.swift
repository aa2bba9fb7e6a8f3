import Configuration
import Endpoint
import Glibc
import MediaTypes
import Realtime
import Testing

@Suite(.serialized) struct OwnLobbyRoomTests {
    /// An endpoint that hosts a lobby on every address of the machine, as an intercom without a server does.
    private func host(_ transport: Configuration.Lobby.Transport, withKey: Bool) async throws {
        let folder = "/tmp/callbox-own-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        mkdir(folder, 0o700)
        defer {
            unlink("\(folder)/keys")
            rmdir(folder)
        }
        var configuration = Configuration()
        configuration.device.id = "door"
        configuration.lobby.isHosted = true
        configuration.lobby.port = 0
        configuration.lobby.transport = transport
        if withKey {
            let file = try #require(fopen("\(folder)/keys", "w"))
            fputs("main: 0123456789abcdef0123456789abcdef0123456789abcdef\n", file)
            fclose(file)
            configuration.lobby.address = "0.0.0.0"
            configuration.lobby.keyFile = "\(folder)/keys"
        }
        configuration.camera.devices = ["none"]
        configuration.microphone.device = "tone:440"
        configuration.speaker.device = "discard"
        configuration.control.socketPath = "\(folder)/control.sock"
        let door = RunningEndpoint(try Appliance(configuration, startTime: MonotonicClock.now()))
        #expect(await door.wait { $0["state"]?.string == "loggedIn" })
        await door.leave()
    }

    @Test(.timeLimit(.minutes(2))) func anEndpointJoinsTheLobbyItHostsWithoutAnAddress() async throws {
        try await host(.plain, withKey: false)
    }

    @Test(.timeLimit(.minutes(2))) func anEndpointTrustsItsOwnCertificateAndGivesItselfAToken() async throws {
        try await host(.selfSigned, withKey: true)
    }
}
