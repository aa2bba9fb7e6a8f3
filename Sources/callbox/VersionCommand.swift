import Endpoint

/// `callbox version`
enum VersionCommand {
    static func run(_ words: [String]) -> Int32 {
        Output.line("callbox \(Version.text)")
        return ExitCode.success
    }
}
