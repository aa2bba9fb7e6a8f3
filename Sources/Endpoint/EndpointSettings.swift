import Calls
import MediaEngine
import MediaTypes
import Panel
import PeerConnection
import Rooms

/// Everything the endpoint needs, made from the configuration.
package struct EndpointSettings: Sendable {
    package var participant: Participant
    package var room: String
    package var token: String?
    /// The id of the one stream that this endpoint publishes; unique in the room service.
    package var streamID: String
    package var media: MediaEngineSettings
    package var peer: PeerConnectionConfiguration
    package var minimumBitrate: Bitrate
    package var maximumBitrate: Bitrate
    /// What the endpoint decides by.
    package var core: EndpointCore.Settings
    package var panel = PanelSettings()
    /// Whether somebody said where the room is served; otherwise it is looked for on this machine, and people are told.
    package var isRoomNamed = true
    /// Names and marks stand in the pictures on the screen.
    package var showsNames = true
    /// For the screen; nil: this endpoint hosts no lobby.
    package var lobbyPage: LobbyPage?
    package var ringVolumePercent = 80
    package var ringBackVolumePercent = 40

    package init(
        participant: Participant, room: String, token: String?, streamID: String, media: MediaEngineSettings,
        peer: PeerConnectionConfiguration, minimumBitrate: Bitrate, maximumBitrate: Bitrate, core: EndpointCore.Settings
    ) {
        self.participant = participant
        self.room = room
        self.token = token
        self.streamID = streamID
        self.media = media
        self.peer = peer
        self.minimumBitrate = minimumBitrate
        self.maximumBitrate = maximumBitrate
        self.core = core
    }
}
