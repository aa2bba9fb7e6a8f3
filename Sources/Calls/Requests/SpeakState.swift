/// Where a member of the audience is with speaking.
package enum SpeakState: String, CaseIterable, Hashable, Sendable {
    case idle
    /// Has applied; no host has answered.
    case applied
    case speaking
}

/// Why the state changed.
package enum SpeakReason: String, CaseIterable, Hashable, Sendable {
    case applied
    case accepted
    /// By a host; also the end of speaking.
    case rejected
    /// By this side.
    case cancelled
    /// No host answered.
    case timedOut
    case roomLost
}

/// Why a command about speaking is refused.
package enum SpeakError: String, Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyApplied
    case notApplied

    /// For a person.
    package var description: String {
        switch self {
        case .alreadyApplied: "the application is made already"
        case .notApplied: "there is no such application"
        }
    }
}
