/// What the screen is to show besides pictures: a value that the endpoint hands over whenever something of it changed.
///
/// Without a tile the screen is the idle page: who this device is, its room, how things stand, where it is reached.
package struct ScreenContent: Sendable, Hashable {
    /// How things stand, as a colour.
    package enum Mood: Sendable, Hashable {
        /// All is well.
        case good
        /// Being worked on.
        case waiting
        /// Somebody should look.
        case bad
    }

    /// A remote stream's place on the screen.
    package struct Tile: Sendable, Hashable {
        /// Of the participant; the stream's source has it as its name.
        package var id: String
        /// For people; empty: the id.
        package var name: String
        package var isMicrophoneMuted = false
        /// Off, or there is none.
        package var isCameraOff = false

        package init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The device's name.
    package var title = ""
    package var room = ""
    /// The room's state in words.
    package var state = ""
    package var mood = Mood.waiting
    /// Of the call, in words; empty: there is none.
    package var call = ""
    /// Where the device and its pages are reached, a line each.
    package var addresses: [String] = []
    /// What a person must know though pictures are on show: words in front of them; empty: nothing.
    package var notice = ""
    /// The remote streams, in the order of their places.
    package var tiles: [Tile] = []
    /// Names and marks stand in the pictures.
    package var showsNames = true
    /// This device's own microphone is muted: a mark on the preview.
    package var isMicrophoneMuted = false

    package init() {}
}
