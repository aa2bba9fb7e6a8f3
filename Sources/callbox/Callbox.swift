import Glibc
import Realtime

/// The program: one subcommand, one file.
@main
struct Callbox {
    static func main() {
        // A peer that closes its socket must never end the process.
        signal(SIGPIPE, SIG_IGN)
        ProcessMemory.limitArenas(to: 2)
        var arguments = Array(CommandLine.arguments.dropFirst())
        let name = arguments.isEmpty ? "help" : arguments.removeFirst()
        let code: Int32
        switch name {
        case "run": code = RunCommand.run(arguments)
        case "lobby": code = LobbyCommand.run(arguments)
        case "check": code = CheckCommand.run(arguments)
        case "devices": code = DevicesCommand.run(arguments)
        case "status": code = StatusCommand.run(arguments)
        case "ctl": code = CtlCommand.run(arguments)
        case "release": code = ReleaseCommand.run(arguments)
        case "token": code = TokenCommand.run(arguments)
        case "version", "--version": code = VersionCommand.run(arguments)
        case "help", "--help", "-h": code = HelpCommand.run(arguments)
        default:
            Output.error("callbox: no command '\(name)'; see callbox help")
            code = ExitCode.usage
        }
        exit(code)
    }
}
