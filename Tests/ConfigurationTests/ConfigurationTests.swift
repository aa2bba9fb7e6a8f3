import MediaTypes
import Testing

@testable import Configuration

@Suite struct ConfigurationTests {
    static let emptyFiles = ["", "\n", "# nothing\n", "---\n...\n", "{}", "null", "~", "camera:\nroom: ~\nice: {}\n"]

    @Test(arguments: emptyFiles) func anEmptyFileGivesTheDefaults(text: String) {
        #expect(configuration(text) == Configuration())
    }

    @Test func theDefaultsWorkOnOneMachine() {
        let defaults = Configuration()
        #expect(defaults.room.name == "reception")
        #expect(defaults.room.service == .lobby)
        #expect(defaults.room.url == "ws://127.0.0.1:8080/ws")
        #expect(!defaults.lobby.isHosted)
        #expect(defaults.lobby.address == "127.0.0.1")
        #expect(defaults.lobby.port == 8080)
        #expect(defaults.lobby.transport == .plain)
        #expect(defaults.lobby.maximumParticipants == 6)
        #expect(defaults.camera.devices == ["default"])
        #expect(defaults.camera.size == PictureSize(width: 640, height: 480))
        #expect(defaults.camera.framesPerSecond == 30)
        #expect(defaults.video.maximumBitrate == .kilobitsPerSecond(1_000))
        #expect(defaults.audio.usesFEC && !defaults.audio.usesDTX)
        #expect(defaults.log.level == .notice)
    }

    @Test func theExampleHasEveryKeyAndIsGood() throws {
        let folder = String(#filePath.dropLast("/Tests/ConfigurationTests/ConfigurationTests.swift".count))
        let example = try Configuration.load("\(folder)/Board/example.yaml")
        #expect(example.device.id == "door-1")
        #expect(example.device.name == "Front door")
        #expect(example.room.url == "wss://127.0.0.1:8080/ws")
        #expect(example.room.tokenFile == "\(folder)/Board/secrets/door-1.token")
        #expect(example.lobby.isHosted)
        #expect(example.lobby.keyFile == "\(folder)/Board/secrets/lobby.keys")
        #expect(
            example.lobby.transport
                == .certificate(
                    file: "\(folder)/Board/secrets/lobby.pem", keyFile: "\(folder)/Board/secrets/lobby-key.pem"))
        #expect(example.camera.devices == ["default", "file:clips/idle.y4m"])
        #expect(example.video.maximumBitrate == Bitrate(bitsPerSecond: 1_500_000))
        #expect(example.video.startBitrate == Bitrate(bitsPerSecond: 500_000))
        #expect(example.ice.servers.count == 2)
        #expect(example.ice.servers[0].endpoints.map(\.kind) == [.stun])
        #expect(example.ice.servers[1].endpoints.map(\.kind) == [.turnOverUDP, .turnOverTCP])
        #expect(example.control.socketPath == "/run/callbox/control.sock")
    }

    @Test func jsonIsYAML() {
        let text = """
            {"device": {"id": "kiosk-7"}, "camera": {"device": "test-pattern", "width": 320, "height": 240},
             "video": {"maximum-bitrate": 800000}, "audio": {"fec": false}, "ice": {"servers": []}}
            """
        let read = configuration(text)
        #expect(read.device.id == "kiosk-7")
        #expect(read.camera.devices == ["test-pattern"])
        #expect(read.camera.size == PictureSize(width: 320, height: 240))
        #expect(read.video.maximumBitrate == .kilobitsPerSecond(800))
        #expect(!read.audio.usesFEC)
    }

    @Test func textNeedsNoQuotes() {
        let read = configuration("device:\n  id: 0012\n  name: no\nroom:\n  name: '42'\n")
        #expect(read.device.id == "0012")
        #expect(read.device.name == "no")
        #expect(read.room.name == "42")
    }

    static let rates: [(String, Int)] = [
        ("1Mbit/s", 1_000_000), ("800kbit/s", 800_000), ("1.5Mbit/s", 1_500_000), ("1.5 Mbit/s", 1_500_000),
        ("250000", 250_000), ("250000bit/s", 250_000), ("'2Mbit/s'", 2_000_000), ("0.25Mbit/s", 250_000),
        ("123.456789Mbit/s", 0), ("1.123456Mbit/s", 1_123_456),
    ]

    @Test(arguments: rates) func bitRatesHaveUnits(text: String, bitsPerSecond: Int) {
        guard bitsPerSecond > 0 else {
            #expect(problems("video: {maximum-bitrate: \(text)}").count == 1)
            return
        }
        let read = configuration("video: {maximum-bitrate: \(text), start-bitrate: 100000}")
        #expect(read.video.maximumBitrate == Bitrate(bitsPerSecond: bitsPerSecond))
    }

    @Test func relativePathsStartAtTheFile() {
        let text = "room: {token-file: a/token}\nlobby: {key-file: /etc/keys}"
        #expect(configuration(text, directory: "/etc/callbox").room.tokenFile == "/etc/callbox/a/token")
        #expect(configuration(text, directory: "/").room.tokenFile == "/a/token")
        #expect(configuration(text, directory: "").room.tokenFile == "a/token")
        #expect(configuration(text, directory: "/etc/callbox").lobby.keyFile == "/etc/keys")
    }

    @Test func iceServersAreTakenApart() {
        let read = configuration(
            """
            ice:
              relay-only: true
              servers:
                - urls: ["stun:stun.example.org", "turn:[2001:db8::1]:3479?transport=tcp"]
                  username: u
                  credential: p
            """)
        #expect(read.ice.usesRelayOnly)
        #expect(read.ice.servers[0].credential == Secret("p"))
        let endpoints = read.ice.servers[0].endpoints
        #expect(endpoints.map(\.host) == ["stun.example.org", "2001:db8::1"])
        #expect(endpoints.map(\.port) == [3_478, 3_479])
    }

    @Test func aSelfSignedLobbyNeedsNoFiles() {
        #expect(configuration("lobby: {host: true, tls: {self-signed: true}}").lobby.transport == .selfSigned)
        #expect(configuration("lobby: {tls: {self-signed: false}}").lobby.transport == .plain)
    }

    @Test func theTransportCanBeSetByOptions() {
        var lobby = Configuration.Lobby()
        for transport in [Configuration.Lobby.Transport.selfSigned, .certificate(file: "a", keyFile: "b"), .plain] {
            lobby.transport = transport
            #expect(lobby.transport == transport)
        }
    }

    @Test func everyKeyIsDocumented() {
        let rows = ConfigurationSchema.rows
        #expect(Set(rows.map(\.path)).count == rows.count)
        for row in rows {
            #expect(row.documentation.hasSuffix("."), "\(row.path)")
            #expect(!row.allowed.isEmpty, "\(row.path)")
        }
        #expect(rows.map(\.path).contains("ice.servers[].credential-file"))
        let width = rows.first { $0.path == "camera.width" }
        #expect(width?.defaultText == "640")
        #expect(width?.allowed == "an even integer from 64 to 1920")
        #expect(rows.first { $0.path == "video.maximum-bitrate" }?.defaultText == "1Mbit/s")
        #expect(rows.first { $0.path == "camera.device" }?.defaultText == "default")
    }

    /// Documents may be made from the table only if the defaults that it prints are what the file may say.
    @Test func theDocumentedDefaultsAreTheDefaults() {
        var groups: [String: [String]] = [:]
        for row in ConfigurationSchema.rows where !row.path.contains("[]") && row.path != "camera.devices" {
            guard let text = row.defaultText, let dot = row.path.lastIndex(of: ".") else { continue }
            let group = String(row.path[..<dot])
            groups[group, default: []].append("\(row.path[row.path.index(after: dot)...]): \(text)")
        }
        let text = groups.filter { $0.key != "lobby.tls" }
            .map { group, lines in "\(group):\n" + lines.map { "  \($0)\n" }.joined() }
            .joined()
        #expect(configuration(text) == Configuration())
    }
}
