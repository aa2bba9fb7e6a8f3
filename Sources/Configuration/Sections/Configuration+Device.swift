extension Configuration {
    /// Who this endpoint is in a room.
    package struct Device: Hashable, Sendable {
        /// The participant's id; nil: the endpoint takes the machine's host name.
        package var id: String?
        /// What people see; nil: the id.
        package var name: String?

        package init() {}
    }
}
