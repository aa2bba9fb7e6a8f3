extension Configuration {
    /// How `callbox status` reaches the endpoint.
    package struct Control: Hashable, Sendable {
        /// A Unix socket; nil: the endpoint chooses one that its user may make.
        package var socketPath: String?

        package init() {}
    }

    /// What is written to the log.
    package struct Log: Hashable, Sendable {
        /// The least important lines that are still written.
        package enum Level: String, CaseIterable, Sendable {
            case error
            case warning
            case notice
            case info
            case debug
        }

        package var level = Level.notice

        package init() {}
    }
}
