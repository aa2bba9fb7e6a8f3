import Glibc
import Testing

@testable import Configuration

/// A folder of board profiles, removed afterwards.
private final class Boards {
    let folder: BoardFolder

    init(_ files: [String: String]) {
        var template = Array("/tmp/callbox-boards-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        #expect(made != nil)
        folder = BoardFolder(
            path: String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self))
        for (name, text) in files {
            let file = open("\(folder.path)/\(name)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            let bytes = Array(text.utf8)
            #expect(write(file, bytes, bytes.count) == bytes.count)
            close(file)
        }
    }

    deinit {
        for name in DirectoryNames.list(folder.path) { unlink("\(folder.path)/\(name)") }
        rmdir(folder.path)
    }

    func parse(_ text: String) throws(ConfigurationProblems) -> Configuration {
        try Configuration.parse(Array(text.utf8), file: "callbox.yaml", boards: folder)
    }

    func problems(_ text: String) -> [String] {
        do throws(ConfigurationProblems) {
            _ = try parse(text)
            return []
        } catch {
            return error.problems.map { problem in
                var text = problem.description
                if text.hasPrefix(folder.path) { text = "BOARDS" + text.dropFirst(folder.path.count) }
                return text
            }
        }
    }
}

private enum DirectoryNames {
    static func list(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

@Suite struct BoardTests {
    static let profile = """
        title: Small board
        gpio: {chip: main-gpio}
        header-pins:
          7: {line: 4}
          11: GPIO17
          INT: {chip: other-gpio, line: 9}
        camera: {device: v4l2-usb}
        speaker: {device: alsa-jack}
        quirks: [It hums.]
        """

    @Test func aNamedBoardGivesDefaultsAndLines() throws {
        let boards = Boards(["small.yaml": BoardTests.profile])
        let read = try boards.parse(
            """
            board: small
            buttons:
              - {name: a, line: pin 11, press: call}
              - {name: b, line: pin 7, press: mute}
            leds: [{name: c, line: pin INT, shows: [{state: muted}]}]
            relays: [{name: d, line: LOCK}]
            """)
        #expect(read.board.name == "small" && read.board.profile?.title == "Small board")
        #expect(read.board.profile?.quirks == ["It hums."])
        #expect(read.gpio.chip == "main-gpio")
        #expect(read.camera.devices == ["v4l2-usb"] && read.speaker.device == "alsa-jack")
        #expect(read.microphone.device == "default" && read.display.device == "none")
        #expect(read.buttons.map(\.line) == ["GPIO17", "4"] && read.buttons.map(\.chip) == [nil, nil])
        #expect(read.leds[0].line == "9" && read.leds[0].chip == "other-gpio")
        #expect(read.relays[0].line == "LOCK" && read.relays[0].chip == nil)
    }

    @Test func whatTheConfigurationSaysWinsWhereverTheBoardIsNamed() throws {
        let boards = Boards(["small.yaml": BoardTests.profile])
        let read = try boards.parse(
            """
            camera: {devices: [default, none]}
            gpio: {chip: renamed-gpio}
            speaker: {volume: 50}
            leds: [{name: c, line: pin INT, chip: mine, shows: [{state: muted}]}]
            board: small
            """)
        #expect(read.camera.devices == ["default", "none"])
        #expect(read.gpio.chip == "renamed-gpio")
        #expect(read.speaker.device == "alsa-jack" && read.speaker.volume == 50)
        #expect(read.leds[0].line == "9" && read.leds[0].chip == "mine")
    }

    @Test func anUnknownBoardListsWhatThereIs() {
        let boards = Boards([
            "small.yaml": BoardTests.profile, "large.yaml": "title: Large", "example.yaml": "room: {name: a}",
            "x.txt": "",
        ])
        #expect(
            boards.problems("board: smal") == [
                "callbox.yaml:1:8: board: there is no profile “smal” in \(boards.folder.path); allowed: large, small "
                    + "(did you mean small?)"
            ])
    }

    static let refusedNames = [
        "../small", "a/b", "/etc/passwd", "..", ".", "\"\"", "Small", "a--b", "-a", "a.yaml", "a b",
    ]

    @Test(arguments: refusedNames) func aNameThatCouldBeAPathIsRefused(name: String) {
        let boards = Boards(["small.yaml": BoardTests.profile])
        let problems = boards.problems("board: \(name)")
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasSuffix(
                "cannot be used; allowed: the name of a board profile: small letters, digits and hyphens") == true)
    }

    @Test func aBrokenProfileIsBlamedAtItsOwnPlace() {
        let boards = Boards([
            "bad.yaml": "title: Bad\nheader-pins:\n  11: {lin: GPIO17}\ngpio: {chip: [a]}\n", "worse.yaml": "a: [",
        ])
        #expect(
            boards.problems("board: bad\nleds: [{name: a, line: pin 11, shows: [{state: muted}]}]\naudio: {fec: 1}")
                == [
                    "BOARDS/bad.yaml:3:7: header-pins.11.line: the key is missing; allowed: the line of the pin",
                    "BOARDS/bad.yaml:3:8: header-pins.11.lin: unknown key; allowed: line, chip (did you mean line?)",
                    "BOARDS/bad.yaml:4:14: gpio.chip: a list stands here; allowed: a chip's label, name or path as "
                        + "`callbox devices` lists them, or simulated",
                    "callbox.yaml:3:14: audio.fec: “1” is neither true nor false; allowed: true or false (did you mean true?)",
                ])
        #expect(boards.problems("board: worse").first?.hasPrefix("BOARDS/worse.yaml:") == true)
    }

    static let wrongProfiles: [(String, String)] = [
        ("", "1:1: title: the key is missing; allowed: the board's name"),
        (
            "title: A\nheader-pins: {1: A, 2: A}",
            "2:21: header-pins.2: “A” is the line of pin 1; allowed: a line for each"
        ),
        (
            "title: A\nheader-pins: {1: 5}",
            "2:15: header-pins.1: a number needs its chip; allowed: a name, or a number with its chip"
        ),
        (
            "title: A\nheader-pins: {pin 1: A}",
            "2:15: header-pins: “pin 1” cannot be used; allowed: a pin's number or name: 1 to 16 letters and digits"
        ),
        (
            "title: A\nheader-pins: [A]",
            "2:14: header-pins: a list stands here; allowed: a group of at most 64 pins, each with its line"
        ),
        (
            "title: A\nheader-pins: {1: A, 1: B}",
            "2:21: header-pins.1: the pin stands here a second time; allowed: once"
        ),
        (
            "title: A\nbuttons: []",
            "2:1: buttons: unknown key; allowed: title, gpio, header-pins, wiring, camera, "
                + "microphone, speaker, display, quirks"
        ),
        (
            "title: A\nheader-pins: {1: A, 2: B, 3: C, 4: D}\n"
                + "wiring: {call-button: 1, mute-button: 1, status-led: 2, ring-led: 3, mute-led: 4}",
            "3:26: wiring.mute-button: “1” is used twice; allowed: a pin for each"
        ),
        (
            "title: A\nheader-pins: {1: A, 2: B, 3: C, 4: D}\n"
                + "wiring: {call-button: 1, mute-button: 5, status-led: 2, ring-led: 3, mute-led: 4}",
            "3:26: wiring.mute-button: “5” is no pin of header-pins; allowed: a pin of header-pins"
        ),
    ]

    @Test(arguments: wrongProfiles) func aWrongProfileIsExplained(text: String, expected: String) {
        do throws(ConfigurationProblems) {
            _ = try BoardProfile.parse(Array(text.utf8), file: "a.yaml")
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.problems.map(\.description) == ["a.yaml:\(expected)"])
        }
    }

    static let wrongPins: [(String, String)] = [
        (
            "leds: [{name: a, line: pin 11, shows: [{state: muted}]}]",
            "“11” is a pin of no board; allowed: a line's name, or a pin with board"
        ),
        (
            "board: small\nleds: [{name: a, line: pin 12, shows: [{state: muted}]}]",
            "pin “12” of “Small board” is no line; allowed: pin 7, 11, INT"
        ),
        (
            "board: bare\nleds: [{name: a, line: pin 12, shows: [{state: muted}]}]",
            "“Bare” has no header; allowed: a line's name"
        ),
        (
            "board: small\nleds: [{name: a, line: pin 11, shows: [{state: muted}]}]\nrelays: [{name: b, line: GPIO17}]",
            "“GPIO17” belongs to a; allowed: a line for each"
        ),
    ]

    @Test(arguments: wrongPins) func aPinThatIsNoLineIsExplained(text: String, expected: String) {
        let boards = Boards(["small.yaml": BoardTests.profile, "bare.yaml": "title: Bare"])
        let problems = boards.problems(text)
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix(".line: \(expected)") == true, "\(problems)")
    }

    /// Whatever is in a profile: it is read, or blamed at a place of its own; never a crash.
    @Test func brokenProfilesNeverCrash() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(state: seed)
        let good = Array(BoardTests.profile.utf8)
        for _ in 0..<3_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Array(" :{}[]-,#&*!|>'\"%@`\n".utf8).randomElement(using: &random) ?? 0, at: index)
                default: bytes.insert(contentsOf: bytes[index...].prefix(12), at: index)
                }
            }
            do throws(ConfigurationProblems) {
                let read = try BoardProfile.parse(bytes, file: "a.yaml")
                #expect(!read.title.isEmpty && read.pins.allSatisfy { !$0.line.isEmpty }, "seed \(seed)")
            } catch {
                #expect(
                    !error.problems.isEmpty && error.problems.allSatisfy { $0.file == "a.yaml" && $0.position != nil },
                    "seed \(seed)")
            }
        }
    }

    /// The profiles of the project are complete, and drive the intercom that their pictures show.
    @Test func everyProfileOfTheProjectFitsTheIntercom() throws {
        let top = String(#filePath.dropLast("/Tests/ConfigurationTests/BoardTests.swift".count))
        let folder = BoardFolder(path: "\(top)/Board")
        let names = folder.names()
        #expect(
            names == [
                "beagleplay", "generic-x86", "raspberry-pi-4", "raspberry-pi-5", "raspberry-pi-zero-2w", "rock-5b",
                "simulated",
            ])
        for name in names {
            let profile = try #require(try folder.profile(name))
            let wiring = try #require(profile.wiring)
            let bias = wiring.pullUp == .chip ? "pull-up" : "as-is"
            let text = """
                board: \(name)
                buttons:
                  - {name: call, line: pin \(wiring.callButton), active-low: true, bias: \(bias), press: intercom}
                  - {name: mute, line: pin \(wiring.muteButton), active-low: true, bias: \(bias), press: mute}
                leds:
                  - {name: status, line: pin \(wiring.statusLED), shows: [{state: joined}]}
                  - {name: ring, line: pin \(wiring.ringLED), shows: [{state: ringing, pattern: blink}]}
                  - {name: muted, line: pin \(wiring.muteLED), shows: [{state: muted}]}
                """
            let read = try Configuration.parse(Array(text.utf8), file: "\(name).yaml", boards: folder)
            let lines = read.buttons.compactMap(\.line) + read.leds.map(\.line)
            #expect(lines.count == 5 && lines.allSatisfy { !$0.hasPrefix("pin") })
            #expect(read.gpio.chip != nil && !profile.quirks.isEmpty)
        }
    }

    @Test func everyKeyOfAProfileIsDocumented() {
        let rows = BoardSchema.rows
        #expect(Set(rows.map(\.path)).count == rows.count)
        #expect(rows.allSatisfy { $0.documentation.hasSuffix(".") && !$0.allowed.isEmpty })
        #expect(rows.map(\.path).contains("header-pins.PIN.line"))
    }
}

/// SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
