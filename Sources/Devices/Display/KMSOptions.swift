import MediaTypes

/// What `kms[:card=NAME][,connector=NAME][,mode=WxH[@RATE]][,api=atomic|legacy]` asks for.
struct KMSOptions: Equatable, Sendable {
    /// How pictures are handed to the kernel.
    enum Interface: String, Sendable {
        case atomic
        case legacy
    }

    /// A mode as people write it.
    struct WantedMode: Equatable, Sendable, CustomStringConvertible {
        var size: PictureSize
        /// Pictures a second; nil: the most that the screen offers, up to 60.
        var rate: Int?

        var description: String { rate.map { "\(size)@\($0)" } ?? "\(size)" }
    }

    /// Path of a node (`/dev/dri/card1`), its name (`card1`) or the name of the kernel's driver (`vc4`); nil: the first
    /// with a screen.
    var card: String?
    /// As the kernel names it (`HDMI-A-1`); nil: the first with a screen.
    var connector: String?
    /// Nil: the one that the screen prefers.
    var mode: WantedMode?
    /// Nil: atomic where the driver can.
    var interface: Interface?

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        guard !specifier.argument.isEmpty else { return }
        for part in specifier.argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[1].isEmpty else {
                throw .unsupported(
                    name: specifier.text, reason: "'\(part)' is not NAME=VALUE; possible are \(KMSOptions.names)")
            }
            switch sides[0] {
            case "card": card = sides[1]
            case "connector": connector = sides[1]
            case "mode":
                guard let wanted = WantedMode(sides[1]) else {
                    throw .unsupported(
                        name: specifier.text, reason: "mode is WIDTHxHEIGHT or WIDTHxHEIGHT@RATE, not '\(sides[1])'")
                }
                mode = wanted
            case "api":
                guard let wanted = Interface(rawValue: sides[1]) else {
                    throw .unsupported(name: specifier.text, reason: "api is atomic or legacy, not '\(sides[1])'")
                }
                interface = wanted
            default:
                throw .unsupported(
                    name: specifier.text, reason: "there is no option '\(sides[0])'; possible are \(KMSOptions.names)")
            }
        }
    }

    private static let names = "card, connector, mode and api"
}

extension KMSOptions.WantedMode {
    init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard parts.count <= 2, sides.count == 2, sides.allSatisfy({ (16...8_192).contains($0) }) else { return nil }
        size = PictureSize(width: sides[0], height: sides[1])
        guard parts.count == 2 else { return }
        guard let rate = Int(parts[1]), (1...500).contains(rate) else { return nil }
        self.rate = rate
    }
}
