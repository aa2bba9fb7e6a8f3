import Glibc

/// Starts programs that tests need.
enum ChildProcess {
    /// Starts a program from the search path; its output goes to the file.
    static func start(_ arguments: [String], logFile: String = "/dev/null") -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, logFile, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var process: pid_t = 0
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let result = posix_spawnp(&process, arguments[0], &actions, nil, &words, environ)
        precondition(result == 0, "cannot start \(arguments[0]): \(String(cString: strerror(result)))")
        return process
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its exit code; −1 when a signal ended it.
    static func run(_ arguments: [String]) -> Int32 {
        wait(start(arguments))
    }

    @discardableResult
    static func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
