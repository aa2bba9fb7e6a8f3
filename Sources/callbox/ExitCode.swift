/// What the process answers to whoever started it.
enum ExitCode {
    static let success: Int32 = 0
    static let failure: Int32 = 1
    /// The command line is wrong.
    static let usage: Int32 = 2
    /// The configuration is wrong (EX_CONFIG of sysexits.h): restarting does not help.
    static let configuration: Int32 = 78
}
