import Calls

/// The stream that this endpoint publishes.
package struct LocalStream: Sendable, Hashable {
    package var id: StreamID
    package var hasAudio: Bool
    package var hasVideo: Bool
    package var isAudioMuted: Bool
    package var isVideoMuted: Bool

    package init(
        id: StreamID, hasAudio: Bool, hasVideo: Bool, isAudioMuted: Bool = false, isVideoMuted: Bool = false
    ) {
        self.id = id
        self.hasAudio = hasAudio
        self.hasVideo = hasVideo
        self.isAudioMuted = isAudioMuted
        self.isVideoMuted = isVideoMuted
    }
}

/// A stream that another participant publishes.
package struct RemoteStream: Sendable, Hashable {
    package var id: StreamID
    package var participant: ParticipantID
    package var hasAudio: Bool
    package var hasVideo: Bool
    package var isAudioMuted: Bool
    package var isVideoMuted: Bool

    package init(
        id: StreamID, participant: ParticipantID, hasAudio: Bool, hasVideo: Bool, isAudioMuted: Bool, isVideoMuted: Bool
    ) {
        self.id = id
        self.participant = participant
        self.hasAudio = hasAudio
        self.hasVideo = hasVideo
        self.isAudioMuted = isAudioMuted
        self.isVideoMuted = isVideoMuted
    }

    /// For the log: "audio, video muted".
    package var stateText: String {
        var parts: [String] = []
        if hasAudio { parts.append(isAudioMuted ? "audio muted" : "audio") }
        if hasVideo { parts.append(isVideoMuted ? "video muted" : "video") }
        return parts.isEmpty ? "no track" : parts.joined(separator: ", ")
    }
}
