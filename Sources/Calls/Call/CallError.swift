/// Why a command about a call is refused.
package enum CallError: String, Error, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    /// A call is on already.
    case busy
    case nobodyToCall
    case roomNotJoined
    /// There is no call that this command could be meant for.
    case noCall

    /// For a person.
    package var description: String {
        switch self {
        case .busy: "a call is on already"
        case .nobodyToCall: "there is nobody to call"
        case .roomNotJoined: "the room is not joined"
        case .noCall: "there is no such call"
        }
    }
}
