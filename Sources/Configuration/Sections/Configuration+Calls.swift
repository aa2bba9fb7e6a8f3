extension Configuration {
    /// Ringing and answering.
    package struct Calls: Hashable, Sendable {
        /// Who is rung by the call button: all at once, the first answer wins. Empty: everybody in the room.
        package var targets: [String] = []
        package var ringSeconds = 30
        /// Whose calls are answered without anybody pressing a button.
        package var autoAnswer: [String] = []
        package var ringVolume = 80
        package var ringBackVolume = 40

        package init() {}
    }

    /// Which commands of other participants this endpoint carries out.
    package struct Permissions: Hashable, Sendable {
        package enum Sender: String, CaseIterable, Sendable {
            case nobody
            /// The other side of a call that is up.
            case partner
            case hosts
            case everybody
        }

        package var mute = Sender.hosts
        package var cameraOff = Sender.hosts
        package var switchCamera = Sender.hosts
        package var remove = Sender.hosts
        package var openRelay = Sender.nobody
        package var showText = Sender.hosts
        package var setVolume = Sender.hosts

        package init() {}
    }
}
