import Configuration

/// `callbox check`
enum CheckCommand {
    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(words, options: ["config"], maximumRest: 1)
            guard let path = arguments.rest.first ?? arguments.options["config"] else {
                throw Arguments.Problem(text: "which file?")
            }
            return check(path)
        } catch {
            Output.error("callbox check: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func check(_ path: String) -> Int32 {
        do throws(ConfigurationProblems) {
            let configuration = try Configuration.load(path)
            Output.line("\(path): good")
            if let profile = configuration.board.profile {
                Output.line("board: \(profile.title) (\(profile.file))")
                for quirk in profile.quirks { Output.line("note: \(quirk)") }
            }
            return ExitCode.success
        } catch {
            Output.error("\(error)")
            return ExitCode.configuration
        }
    }
}
