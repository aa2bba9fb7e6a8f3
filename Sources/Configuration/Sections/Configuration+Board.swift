extension Configuration {
    /// The board that this endpoint runs on.
    package struct Board: Hashable, Sendable {
        /// The name of a board profile.
        package var name: String?
        /// What that profile says; nil where none is named.
        package var profile: BoardProfile?

        package init() {}
    }
}
