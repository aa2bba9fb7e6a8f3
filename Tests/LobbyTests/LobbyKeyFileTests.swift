import Glibc
import Lobby
import Testing

@Suite struct LobbyKeyFileTests {
    @Test func namesAndSecretsAreReadInLiveKitsForm() throws {
        let text = "# keys\n\nAPIone: 0123456789abcdef0123456789abcdef\r\n  APItwo :  \"with: colon and space\"\n"
        let keys = try LobbyKeyFile.parse(text, path: "keys")
        #expect(keys.map(\.name) == ["APIone", "APItwo"])
        #expect(keys[1].secret == Array("with: colon and space".utf8))
        #expect(keys.map(\.isWeak) == [false, true])
    }

    @Test(arguments: [
        ("", 1, "no key"), ("a\n", 1, "name: secret"), ("# x\na b: 0123456789abcdef\n", 2, "without space"),
        ("a: short\n", 1, "too short"), ("a: 0123456789abcdef\na: 0123456789abcdef\n", 2, "above"),
    ])
    func aWrongFileIsToldByLine(text: String, line: Int, words: String) {
        let error = thrown(LobbyKeyError.self) { try LobbyKeyFile.parse(text, path: "keys") }
        #expect(error?.description.hasPrefix("keys:\(line): ") == true)
        #expect(error?.description.contains(words) == true)
        #expect(error?.description.contains("0123456789abcdef") == false)
    }

    @Test func aMissingFileIsToldByName() {
        let error = thrown(LobbyKeyError.self) { try LobbyKeyFile.load(path: "/nonexistent/keys") }
        #expect(error?.description == "/nonexistent/keys: cannot open the key file: No such file or directory")
    }
}
