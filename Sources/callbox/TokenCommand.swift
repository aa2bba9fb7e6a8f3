import Glibc
import Lobby

/// `callbox token`
enum TokenCommand {
    static let defaultHours = 24 * 30

    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(
                words, options: ["key-file", "key", "room", "id", "name", "hours"], flags: ["audience", "admin"])
            guard let keyFile = arguments.options["key-file"], let room = arguments.options["room"],
                let id = arguments.options["id"]
            else { throw Arguments.Problem(text: "--key-file, --room and --id are needed") }
            let hours = try arguments.integer("hours", 1...876_000) ?? defaultHours
            let claims = TokenClaims(
                participantID: id, name: arguments.options["name"], room: room,
                expiration: Int64(time(nil)) + Int64(hours) * 3_600, canPublish: !arguments.flags.contains("audience"),
                roomAdmin: arguments.flags.contains("admin"))
            return mint(claims, keyFile: keyFile, keyName: arguments.options["key"])
        } catch {
            Output.error("callbox token: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func mint(_ claims: TokenClaims, keyFile: String, keyName: String?) -> Int32 {
        do throws(LobbyKeyError) {
            let keys = try LobbyKeyFile.load(path: keyFile)
            guard let key = keyName.map({ name in keys.first { $0.name == name } }) ?? keys.first else {
                Output.error("callbox token: \(keyFile) has no key '\(keyName ?? "")'")
                return ExitCode.failure
            }
            Output.line(Token.mint(claims, key: key))
            return ExitCode.success
        } catch {
            Output.error("callbox token: \(error)")
            return ExitCode.failure
        }
    }
}
