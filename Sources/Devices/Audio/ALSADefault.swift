import Glibc

/// Whether somebody has said what ALSA's `default` is on this machine.
enum ALSADefault {
    /// By a configuration of the machine, of the user, of a sound server's package, or of whoever started this process.
    static var isConfigured: Bool {
        isConfigured(
            environment: { name in getenv(name).map { String(cString: $0) } },
            exists: { access($0, R_OK) == 0 }, names: { DirectoryListing.names(in: $0) ?? [] })
    }

    static func isConfigured(
        environment: (String) -> String?, exists: (String) -> Bool, names: (String) -> [String]
    ) -> Bool {
        if environment("ALSA_CONFIG_PATH") != nil { return true }
        if exists("/etc/asound.conf") { return true }
        if let home = environment("HOME"), exists("\(home)/.asoundrc") || exists("\(home)/.config/alsa/asoundrc") {
            return true
        }
        // Packages of sound servers end theirs so: 99-pipewire-default.conf, 99-pulseaudio-default.conf.
        return names("/etc/alsa/conf.d").contains { $0.hasSuffix("-default.conf") }
    }
}
