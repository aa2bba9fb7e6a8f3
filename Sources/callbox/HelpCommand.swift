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
        """

    static func run(_ words: [String]) -> Int32 {
        Output.line(text)
        return ExitCode.success
    }
}
