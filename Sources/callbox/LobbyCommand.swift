import Configuration
import Endpoint
import Lobby
import MediaTypes
import Realtime
import Telemetry

/// `callbox lobby`
enum LobbyCommand {
    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(
                words,
                options: [
                    "address", "port", "key-file", "certificate", "private-key", "keep-certificate", "log-level",
                ],
                flags: ["self-signed"])
            var lobby = Configuration.Lobby()
            lobby.isHosted = true
            lobby.address = arguments.options["address"] ?? lobby.address
            lobby.port = try arguments.integer("port", 1...65_535) ?? lobby.port
            lobby.keyFile = arguments.options["key-file"]
            switch (arguments.options["certificate"], arguments.options["private-key"]) {
            case (let file?, let keyFile?): lobby.transport = .certificate(file: file, keyFile: keyFile)
            case (nil, nil): lobby.transport = arguments.flags.contains("self-signed") ? .selfSigned : .plain
            default: throw Arguments.Problem(text: "--certificate and --private-key belong together")
            }
            if let name = arguments.options["log-level"] {
                guard let level = LogLevel(name: name) else {
                    throw Arguments.Problem(text: "--log-level \(name): error, warning, notice, info or debug")
                }
                Log.level = level
            }
            return serve(lobby, certificateFile: arguments.options["keep-certificate"])
        } catch {
            Output.error("callbox lobby: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func serve(_ lobby: Configuration.Lobby, certificateFile: String?) -> Int32 {
        let signals = Signals()
        do throws(ApplianceError) {
            let server = try HostedLobby.start(lobby, certificateFile: certificateFile)
            Output.line("lobby: \(server.link(room: "reception"))")
            if let fingerprint = server.certificateFingerprint {
                Output.line("certificate fingerprint (SHA-256): \(fingerprint)")
            }
            while signals.wait(milliseconds: 60_000) == nil {}
            server.stop()
            return ExitCode.success
        } catch {
            Output.error("callbox lobby: \(error)")
            if case .configuration = error { return ExitCode.configuration }
            return ExitCode.failure
        }
    }
}
