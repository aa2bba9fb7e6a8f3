import Configuration

/// `callbox help`
enum HelpCommand {
    static let text = """
        callbox turns this board into a call endpoint.

          callbox run --config FILE         the endpoint: joins its room, publishes, plays; ends on SIGTERM
          callbox lobby [options]           a room of its own: signalling and a browser page
              --address A (127.0.0.1)  --port N (8080)  --key-file F
              --certificate F --private-key F | --self-signed [--keep-certificate F]
          callbox check FILE                says everything that is wrong with a configuration
          callbox devices [--json]          what microphones, speakers, cameras and displays there are
          callbox status [--json] [--socket S]
                                            how the running endpoint is
          callbox ctl COMMAND               mutes, calls, answers, hangs up, presses simulated buttons: callbox ctl help
          callbox release --config FILE     switches every LED and relay off, after a process that was killed
          callbox token --key-file F --room R --id ID [--name N] [--hours H] [--audience] [--admin]
                                            makes a token for one participant
          callbox version
          callbox help keys                 every key of the configuration, what it may hold and what it is for
        """

    static func run(_ words: [String]) -> Int32 {
        Output.line(words == ["keys"] ? keys : text)
        return ExitCode.success
    }

    /// A paragraph for each key; the manual page is made of it.
    private static var keys: String {
        ConfigurationSchema.rows.map { row in
            let value = row.defaultText.map { "\(row.allowed); default: \($0)" } ?? row.allowed
            return "\(row.path)\n    \(value)\n    \(row.documentation)"
        }.joined(separator: "\n")
    }
}
