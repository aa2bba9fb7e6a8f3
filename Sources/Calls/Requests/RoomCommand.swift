import MediaTypes

/// What one participant asks of another by a `room_request_type` (CALLS.md), with what belongs to it.
package enum RoomCommand: Hashable, Sendable {
    case applyToSpeak
    /// Also: stops speaking.
    case cancelApplication
    case acceptToSpeak
    /// Also: ends the speaking.
    case rejectToSpeak
    case mute
    case cameraOff
    case switchCamera
    case removeParticipant(ParticipantID, text: String?)
    /// - Parameters:
    ///   - name: nil: the only one, or the first.
    ///   - duration: nil: as configured; 1 ms … 60 s.
    case openRelay(name: String?, duration: Interval?)
    /// - Parameter seconds: 1 … 3600.
    case showText(String, seconds: Int)
    /// - Parameter percent: 0 … 100.
    case setVolume(percent: Int)
    case done
    case refused(String)

    /// The command without what belongs to it.
    package enum Kind: Int, CaseIterable, Hashable, Sendable {
        case applyToSpeak = 10000
        case cancelApplication = 10001
        case acceptToSpeak = 10002
        case rejectToSpeak = 10003
        case mute = 10100
        case cameraOff = 10101
        case switchCamera = 10102
        case removeParticipant = 10103
        case openRelay = 10104
        case showText = 10105
        case setVolume = 10106
        case done = 10900
        case refused = 10901
    }

    package var kind: Kind {
        switch self {
        case .applyToSpeak: .applyToSpeak
        case .cancelApplication: .cancelApplication
        case .acceptToSpeak: .acceptToSpeak
        case .rejectToSpeak: .rejectToSpeak
        case .mute: .mute
        case .cameraOff: .cameraOff
        case .switchCamera: .switchCamera
        case .removeParticipant: .removeParticipant
        case .openRelay: .openRelay
        case .showText: .showText
        case .setVolume: .setVolume
        case .done: .done
        case .refused: .refused
        }
    }
}
