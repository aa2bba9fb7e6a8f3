import Testing

@testable import Configuration

/// What a person reads when the file is wrong, word for word.
@Suite struct ProblemTests {
    @Test func everyProblemIsReportedAtOnceInTheOrderOfTheFile() {
        let text = """
            device:
              id: front door
            camera:
              widht: 640
              height: 481
              frames-per-second: "30"
            video:
              maximum-bitrate: 800k
            audio:
              fec: yes
            log:
              level: verbose
            """
        #expect(
            problems(text) == [
                "callbox.yaml:2:7: device.id: “front door” cannot be used; "
                    + "allowed: 1 to 64 letters, digits and punctuation of ASCII, no space",
                "callbox.yaml:4:3: camera.widht: unknown key; "
                    + "allowed: device, devices, off-at-start, width, height, frames-per-second (did you mean width?)",
                "callbox.yaml:5:11: camera.height: 481 is odd; allowed: an even integer from 64 to 1080",
                "callbox.yaml:6:22: camera.frames-per-second: “30” is a text in quotes; "
                    + "allowed: an integer from 1 to 60",
                "callbox.yaml:8:20: video.maximum-bitrate: “800k” is no bit rate; "
                    + "allowed: 30kbit/s to 20Mbit/s (did you mean 800kbit/s?)",
                "callbox.yaml:10:8: audio.fec: “yes” is neither true nor false; "
                    + "allowed: true or false (did you mean true?)",
                "callbox.yaml:12:10: log.level: “verbose” is not known; allowed: error, warning, notice, info, debug",
            ])
    }

    static let single: [(String, String)] = [
        // Unknown keys.
        (
            "camra: {}",
            "1:1: camra: unknown key; allowed: board, device, room, lobby, camera, microphone, speaker, display, video, "
                + "audio, ice, calls, permissions, gpio, buttons, leds, relays, control, log (did you mean camera?)"
        ),
        ("audio: {Bitrate: 1}", "1:9: audio.Bitrate: unknown key; allowed: bitrate, fec, dtx (did you mean bitrate?)"),
        (
            "video: {maximum_bitrate: 1}",
            "1:9: video.maximum_bitrate: unknown key; allowed: maximum-bitrate, minimum-bitrate, start-bitrate "
                + "(did you mean maximum-bitrate?)"
        ),
        (
            "audio: {relay-only: true}",
            "1:9: audio.relay-only: unknown key; allowed: bitrate, fec, dtx (did you mean ice.relay-only?)"
        ),
        ("audio: {qqqqqqqq: 1}", "1:9: audio.qqqqqqqq: unknown key; allowed: bitrate, fec, dtx"),
        ("audio: {\"a b\\n\": 1}", "1:9: audio.“a b\\u{a}”: unknown key; allowed: bitrate, fec, dtx"),
        // Duplicates.
        (
            "audio:\n  fec: true\n  fec: false",
            "3:3: audio.fec: the key stands here a second time, first in line 2; allowed: once"
        ),
        // Wrong types.
        ("camera: {width: wide}", "1:17: camera.width: “wide” is no integer; allowed: an even integer from 64 to 1920"),
        ("camera: {width: 0640}", "1:17: camera.width: “0640” is no integer; allowed: an even integer from 64 to 1920"),
        (
            "camera: {width: 6.4e2}",
            "1:17: camera.width: “6.4e2” is no integer; allowed: an even integer from 64 to 1920"
        ),
        (
            "camera: {width: 99999999999999999999}",
            "1:17: camera.width: “99999999999999999999” is no integer; allowed: an even integer from 64 to 1920"
        ),
        ("camera: {width: []}", "1:17: camera.width: a list stands here; allowed: an even integer from 64 to 1920"),
        ("camera: {width: }", "1:17: camera.width: no value stands here; allowed: an even integer from 64 to 1920"),
        ("camera: {width: null}", "1:17: camera.width: no value stands here; allowed: an even integer from 64 to 1920"),
        (
            "audio: {bitrate: {}}",
            "1:18: audio.bitrate: a group of keys stands here; allowed: 6kbit/s to 128kbit/s"
        ),
        ("audio: true", "1:8: audio: a single value stands here; allowed: a group of the keys bitrate, fec, dtx"),
        ("audio: [fec]", "1:8: audio: a list stands here; allowed: a group of the keys bitrate, fec, dtx"),
        (
            "camera: {devices: default}",
            "1:19: camera.devices: a single value stands here; "
                + "allowed: a list of 1 to 8: a device as `callbox devices` lists them"
        ),
        (
            "camera: {devices: []}",
            "1:19: camera.devices: the list has 0 items; "
                + "allowed: a list of 1 to 8: a device as `callbox devices` lists them"
        ),
        (
            "camera: {devices: [a, [b]]}",
            "1:23: camera.devices[1]: a list stands here; allowed: a device as `callbox devices` lists them"
        ),
        (
            "ice: {servers: stun:a}",
            "1:16: ice.servers: a single value stands here; allowed: a list of at most 8 groups of keys"
        ),
        // Values that cannot be.
        ("lobby: {port: 0}", "1:15: lobby.port: 0 is too small; allowed: an integer from 1 to 65535"),
        ("lobby: {port: 65536}", "1:15: lobby.port: 65536 is too large; allowed: an integer from 1 to 65535"),
        ("lobby: {port: -1}", "1:15: lobby.port: -1 is too small; allowed: an integer from 1 to 65535"),
        (
            "lobby: {address: localhost}",
            "1:18: lobby.address: “localhost” cannot be used; allowed: an IPv4 or IPv6 address (did you mean 127.0.0.1?)"
        ),
        ("audio: {bitrate: 1Mbit/s}", "1:18: audio.bitrate: “1Mbit/s” is too large; allowed: 6kbit/s to 128kbit/s"),
        ("audio: {bitrate: 1}", "1:18: audio.bitrate: “1” is too small; allowed: 6kbit/s to 128kbit/s"),
        ("audio: {bitrate: 32.5}", "1:18: audio.bitrate: “32.5” is no bit rate; allowed: 6kbit/s to 128kbit/s"),
        ("room: {service: looby}", "1:17: room.service: “looby” is not known; allowed: lobby (did you mean lobby?)"),
        (
            "room: {url: 'http://u:secret@host/'}",
            "1:13: room.url: it cannot be used; allowed: ws://HOST:PORT/PATH or wss://HOST:PORT/PATH (did you mean ws://…?)"
        ),
        (
            "room: {token: \"\"}",
            "1:15: room.token: the text is empty, too long or has control characters; "
                + "allowed: a text of 1 to 8192 characters"
        ),
        (
            "ice: {servers: [{urls: 'turns:h'}]}",
            "1:24: ice.servers[0].urls: it cannot be used; "
                + "allowed: stun:HOST:PORT, turn:HOST:PORT or turn:HOST:PORT?transport=tcp "
                + "(did you mean turn:…?transport=tcp?)"
        ),
        // Rules between keys.
        (
            "room: {token: a, token-file: b}",
            "1:18: room.token-file: token is given too; allowed: one of token and token-file"
        ),
        (
            "room: {tls-ca-file: a.pem}",
            "1:8: room.tls-ca-file: the url does not use TLS; allowed: with a wss: url"
        ),
        (
            "camera: {devices: [a], device: b}",
            "1:24: camera.device: devices is given too; allowed: one of device and devices"
        ),
        (
            "lobby: {tls: {certificate-file: a}}",
            "1:15: lobby.tls.certificate-file: key-file is missing; allowed: certificate-file and key-file together"
        ),
        (
            "video: {minimum-bitrate: 2Mbit/s}",
            "1:9: video.minimum-bitrate: the minimum of 2Mbit/s is above the maximum of 1Mbit/s; "
                + "allowed: minimum-bitrate up to maximum-bitrate"
        ),
        (
            "video: {start-bitrate: 2Mbit/s}",
            "1:9: video.start-bitrate: 2Mbit/s is outside the limits; allowed: 100kbit/s to 1Mbit/s"
        ),
        (
            "ice: {relay-only: true}",
            "1:7: ice.relay-only: there is no TURN server; allowed: with a turn: url in servers"
        ),
        (
            "ice: {servers: [{username: a}]}",
            "1:17: ice.servers[0].urls: the key is missing; allowed: one or more urls"
        ),
        (
            "ice: {servers: [{urls: 'turn:h'}]}",
            "1:18: ice.servers[0].urls: a TURN server needs a username and a credential; "
                + "allowed: turn: urls with username and credential or credential-file"
        ),
        // The form of the file.
        (
            "- a",
            "1:1: YAML: a list stands here; allowed: a group of the keys board, device, room, lobby, camera, "
                + "microphone, speaker, display, video, audio, ice, calls, permissions, gpio, buttons, leds, relays, control, log"
        ),
        ("audio:\n\tfec: true", "2:1: YAML: a tab cannot indent; allowed: spaces"),
        (
            "audio: {fec: true",
            "2:1: YAML: did not find expected ',' or '}' (while parsing a flow mapping that begins at 1:8)"
        ),
        (
            "audio:\n  fec: true\n bitrate: 1",
            "3:2: YAML: did not find expected key (while parsing a block mapping that begins at 1:1)"
        ),
        ("audio: &a {fec: true}", "1:8: YAML: anchors (&name) are refused; allowed: the value written out"),
        ("audio: *a", "1:8: YAML: aliases (*name) are refused; allowed: the value written out"),
        ("audio: {fec: !!bool true}", "1:14: YAML: tags (!name) are refused; allowed: the value without a tag"),
        ("audio: {}\n---\nlog: {}", "2:1: YAML: a second document starts here; allowed: one document in a file"),
        ("? [a]\n: b", "1:3: YAML: a list cannot be a key; allowed: a word"),
        ("a: \u{1}", "1:4: YAML: control characters are not allowed"),
    ]

    @Test(arguments: single) func aProblemIsToldPlainly(text: String, expected: String) {
        #expect(problems(text) == ["callbox.yaml:\(expected)"])
    }

    @Test func textThatIsNotUTF8IsFound() {
        let bytes = Array("audio:\n  fec: é".utf8) + [0xE9, 0x0A]
        #expect(problems(bytes) == ["callbox.yaml:2:9: YAML: the text is not UTF-8; allowed: UTF-8 without NUL"])
        #expect(problems([0xFF, 0xFE, 0x61, 0x00]).count == 1)
        #expect(
            problems([0x61, 0x00]) == ["callbox.yaml:1:2: YAML: the text is not UTF-8; allowed: UTF-8 without NUL"])
        #expect(problems([0xEF, 0xBB, 0xBF] + Array("audio: {fec: true}".utf8)).isEmpty)
    }

    @Test func hostileSizesAreRefused() {
        let depth = String(repeating: "[", count: 100_000)
        #expect(
            problems(depth) == ["callbox.yaml:1:17: YAML: the values are nested too deeply; allowed: at most 16 levels"]
        )
        let wide = "[" + String(repeating: "a,", count: 20_000) + "]"
        #expect(problems(wide) == ["callbox.yaml:1:20000: YAML: the file has too many values; allowed: at most 10000"])
        let long = String(repeating: "#", count: 300_000)
        #expect(problems(long) == ["callbox.yaml:1:1: YAML: the file is too large; allowed: at most 256 KiB"])
        let laughs = (1...20).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
        #expect((1...100).contains(problems(laughs).count))
        let many = (1...500).map { "key-\($0): 1\n" }.joined()
        #expect(problems(many).count == 100)
    }

    @Test func aLongValueIsCutInTheMessage() {
        let text = "log: {level: " + String(repeating: "x", count: 5_000) + "}"
        let shown = String(repeating: "x", count: 40)
        #expect(
            problems(text) == [
                "callbox.yaml:1:14: log.level: “\(shown)…” is not known; allowed: error, warning, notice, info, debug"
            ])
    }

    @Test func secretsAreNeverShown() {
        let texts = [
            "room: {token: hunter2, token-file: x, widht: 3}", "room: {token: [hunter2]}",
            "room: {token: {a: hunter2}}",
            "room: hunter2", "room: {tokn: hunter2}", "room: {url: 'ws://hunter2@h/'}",
            "ice: {servers: [{urls: 'turn:hunter2@h', credential: hunter2}]}", "ice: {servers: [hunter2]}",
            "room: {token: \"hunter2\\n\"}", "room: {token: *hunter2}",
        ]
        for text in texts {
            let found = problems(text)
            #expect(!found.isEmpty, "\(text)")
            for line in found { #expect(!line.contains("hunter2"), "\(line)") }
        }
        let read = configuration("room: {token: hunter2}")
        #expect(read.room.token?.text == "hunter2")
        #expect("\(read)".contains("•••"))
        #expect(!"\(read)".contains("hunter2"))
        #expect(!String(reflecting: read).contains("hunter2"))
        var dumped = ""
        dump(read, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
