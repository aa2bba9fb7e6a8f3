import Configuration
import Endpoint
import Glibc
import JSONText
import Lobby
import MediaTypes
import Realtime

/// A lobby on a port of its own, and endpoints with simulated devices that join it, all in this process.
final class EndpointPair {
    private(set) var lobby: LobbyServer
    private let directory: String

    init() throws {
        lobby = LobbyServer(LobbyConfiguration(address: "127.0.0.1", port: 0))
        directory = "/tmp/callbox-endpoint-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        mkdir(directory, 0o700)
        try lobby.start()
    }

    deinit {
        lobby.stop()
        rmdir(directory)
    }

    /// The lobby ends and another one listens on its port.
    func restartLobby() throws {
        let port = lobby.port
        lobby.stop()
        lobby = LobbyServer(LobbyConfiguration(address: "127.0.0.1", port: port))
        try lobby.start()
    }

    func configuration(_ id: String, room: String = "reception") -> Configuration {
        var configuration = Configuration()
        configuration.device.id = id
        configuration.room.name = room
        configuration.room.url = "ws://127.0.0.1:\(lobby.port)/ws"
        configuration.camera.devices = ["test-pattern"]
        configuration.camera.width = 160
        configuration.camera.height = 120
        configuration.camera.framesPerSecond = 10
        configuration.microphone.device = "tone:440"
        configuration.speaker.device = "discard"
        configuration.control.socketPath = "\(directory)/\(id).sock"
        return configuration
    }

    func start(_ configuration: Configuration) throws -> RunningEndpoint {
        RunningEndpoint(try Appliance(configuration, startTime: MonotonicClock.now()))
    }
}

/// An appliance and the task in which it runs.
final class RunningEndpoint {
    let appliance: Appliance
    private let running: Task<Void, Never>

    init(_ appliance: Appliance) {
        self.appliance = appliance
        running = Task { await appliance.run() }
    }

    /// Waits until `condition` holds for the status; false after `seconds` without.
    func wait(seconds: Int = 30, until condition: (JSONValue) -> Bool) async -> Bool {
        let end = MonotonicClock.now() + .seconds(Int64(seconds))
        while MonotonicClock.now() < end {
            if condition(await appliance.status().json) { return true }
            try? await Task.sleep(nanoseconds: 20_000_000)
        }
        return false
    }

    /// As `wait`, for the short answer that `callbox ctl state` gives: cheap enough for thousands of looks.
    func waitForState(seconds: Int = 30, until condition: (JSONValue) -> Bool) async -> Bool {
        let end = MonotonicClock.now() + .seconds(Int64(seconds))
        while MonotonicClock.now() < end {
            if condition(await appliance.answer(["command": "state"])) { return true }
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        return false
    }

    /// Returns when everything is given back.
    func leave() async {
        appliance.leave()
        await running.value
    }
}
