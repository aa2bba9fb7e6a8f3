/// The player's rules: each phase × each input has a stated outcome. ARCHITECTURE.md shows it.
///
/// That the room is lost is no input: the media of a connection that still works goes on.
package enum PlayerTable {
    /// The next phase; nil: the input is ignored.
    package static func next(after input: PlayerInput, in phase: PlayerPhase) -> PlayerPhase? {
        switch (phase, input) {
        case (.idle, .want): .requesting
        case (.idle, .mediaArrives): .idleArriving
        case (.idle, .unwant), (.idle, .mediaStopped): nil
        case (.idleArriving, .want): .playing
        case (.idleArriving, .mediaStopped): .idle
        case (.idleArriving, .unwant), (.idleArriving, .mediaArrives): nil
        case (.requesting, .unwant): .idle
        case (.requesting, .mediaArrives): .playing
        case (.requesting, .want): nil
        // It did not arrive before either, but the reason may be news.
        case (.requesting, .mediaStopped): .requesting
        case (.playing, .unwant): .idleArriving
        case (.playing, .mediaStopped): .requesting
        case (.playing, .want), (.playing, .mediaArrives): nil
        }
    }
}
