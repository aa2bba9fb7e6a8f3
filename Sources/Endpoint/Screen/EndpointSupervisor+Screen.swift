import MediaEngine
import Realtime

/// What the supervisor shows on the screen.
extension EndpointSupervisor {
    /// Hands the words over when one of them changed.
    func updateScreen() {
        guard let screen = engine.screen else { return }
        let words = ScreenWords(
            core: core, settings: settings, reason: reason, streams: shownStreams, addresses: ownAddresses)
        let content = words.content
        guard content != shownContent else { return }
        shownContent = content
        screen.output.show(content)
    }

    /// The addresses may be others now.
    func readAddresses() {
        guard engine.screen != nil else { return }
        ownAddresses = OwnAddresses.current()
    }
}
