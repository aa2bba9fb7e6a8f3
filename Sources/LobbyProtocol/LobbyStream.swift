import JSONText

/// A published stream: the `stream` of `publish`, `streamAdded` and `streamChanged`.
package struct LobbyStream: Sendable, Equatable {
    /// Unique in the whole lobby; also the stream id (`a=msid`) of its tracks.
    package var id: String
    /// Its owner; empty in `publish`, where the sender owns it.
    package var participant: String
    package var hasAudio: Bool
    package var hasVideo: Bool
    package var audioMuted: Bool
    package var videoMuted: Bool

    package init(
        id: String, participant: String = "", hasAudio: Bool, hasVideo: Bool, audioMuted: Bool = false,
        videoMuted: Bool = false
    ) {
        self.id = id
        self.participant = participant
        self.hasAudio = hasAudio
        self.hasVideo = hasVideo
        self.audioMuted = audioMuted
        self.videoMuted = videoMuted
    }

    init(_ fields: MessageFields, hasOwner: Bool) throws(LobbyMessageError) {
        id = try fields.streamID("id")
        participant = hasOwner ? try fields.participantID("participant") : ""
        hasAudio = try fields.requiredFlag("hasAudio")
        hasVideo = try fields.requiredFlag("hasVideo")
        audioMuted = try fields.flag("audioMuted") ?? false
        videoMuted = try fields.flag("videoMuted") ?? false
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "hasAudio": .bool(hasAudio), "hasVideo": .bool(hasVideo),
            "audioMuted": .bool(audioMuted), "videoMuted": .bool(videoMuted),
        ]
        if !participant.isEmpty { members["participant"] = .string(participant) }
        return .object(members)
    }
}
