/// What the process around an endpoint wants to hear from it; called on the supervisor, and not to wait there.
package struct ServiceHooks: Sendable {
    /// How the endpoint is, in words, whenever that changes.
    package var status: (@Sendable (String) -> Void)?
    /// The restart that somebody wanted is due: end this process as a signal would. Nil: the endpoint only leaves.
    package var restart: (@Sendable () -> Void)?

    package init(status: (@Sendable (String) -> Void)? = nil, restart: (@Sendable () -> Void)? = nil) {
        self.status = status
        self.restart = restart
    }
}
