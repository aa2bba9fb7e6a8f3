import CALSA

/// Turns what the configuration says into names that `snd_pcm_open` knows.
enum ALSAName {
    /// PCM names whose first argument is a card.
    private static let cardPlugins: Set<String> = [
        "hw", "plughw", "sysdefault", "default", "front", "dmix", "dsnoop", "hdmi", "iec958", "surround21",
        "surround40", "surround51", "surround71",
    ]

    /// The PCM names to try, in this order; the first of a card is the hardware as it is, the second lets ALSA convert
    /// what Callbox cannot.
    static func candidates(
        for specifier: DeviceSpecifier, isCapture: Bool, cardNamed: (String) -> ALSACard?
    ) throws(DeviceError) -> [String] {
        let text = specifier.text
        guard !text.isEmpty else { throw .missing(name: text) }
        if let number = cardNumber(in: specifier) {
            throw .unsupported(
                name: text,
                reason: "card \(number) may be another one tomorrow; name it by its id, as `callbox devices` shows it")
        }
        let isExplicit = specifier.scheme == "card" && !specifier.argument.isEmpty
        let wanted = isExplicit ? specifier.argument : text
        if isExplicit || !text.contains(":") {
            if let card = cardNamed(wanted) { return try names(of: card, text: text, isCapture: isCapture) }
            if isExplicit { throw .missing(name: text) }
        }
        return [text]
    }

    /// What `default` stands for: a USB card that is there, since somebody plugged it in; then ALSA's default, which mostly is
    /// the card that came first, such as a screen's on a Raspberry Pi; then any card that has this direction.
    ///
    /// - Parameter isConfigured: the machine's owner has said what ALSA's default is, so that comes first.
    static func defaults(among cards: [ALSACard], isCapture: Bool, isConfigured: Bool) -> [String] {
        let usable = cards.filter { $0.problem == nil && !(isCapture ? $0.captureDevices : $0.playbackDevices).isEmpty }
        func names(_ isWanted: (ALSACard) -> Bool) -> [String] {
            usable.filter(isWanted).flatMap { pcms(of: $0, isCapture: isCapture) }
        }
        let plugged = names(\.isUSB)
        let others = names { !$0.isUSB }
        return isConfigured ? ["default"] + plugged + others : plugged + ["default"] + others
    }

    private static func names(of card: ALSACard, text: String, isCapture: Bool) throws(DeviceError) -> [String] {
        if let problem = card.problem {
            let isForbidden = problem == ALSACard.permissionHint
            throw isForbidden ? .notPermitted(name: text, hint: problem) : .unsupported(name: text, reason: problem)
        }
        let names = pcms(of: card, isCapture: isCapture)
        guard !names.isEmpty else {
            throw .unsupported(name: text, reason: isCapture ? "it has no microphone input" : "it has no output")
        }
        return names
    }

    /// The card's first PCM of this direction, as it is and with ALSA's conversion; none when it has no such PCM.
    private static func pcms(of card: ALSACard, isCapture: Bool) -> [String] {
        // Displays have their sound on high device numbers, so the first one need not be 0.
        guard let device = (isCapture ? card.captureDevices : card.playbackDevices).first else { return [] }
        return ["hw:CARD=\(card.id),DEV=\(device)", "plughw:CARD=\(card.id),DEV=\(device)"]
    }

    /// The number, when a card is named by one: `hw:1`, `plughw:1,0`, `hw:CARD=1`, `1`.
    private static func cardNumber(in specifier: DeviceSpecifier) -> String? {
        var card: Substring
        if specifier.argument.isEmpty {
            card = specifier.text[...]
        } else {
            guard cardPlugins.contains(specifier.scheme) || specifier.scheme == "card" else { return nil }
            card = specifier.argument.prefix { $0 != "," }
            if card.hasPrefix("CARD=") { card = card.dropFirst(5) }
        }
        return !card.isEmpty && card.utf8.allSatisfy { (0x30...0x39).contains($0) } ? String(card) : nil
    }
}
