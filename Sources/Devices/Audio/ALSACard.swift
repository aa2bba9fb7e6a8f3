import CALSA
import CDeviceShims
import Glibc

/// A sound card as the kernel knows it.
struct ALSACard: Equatable, Sendable {
    /// Its number at this moment; it changes when cards come and go, so nothing keeps it.
    var index: Int32
    /// The short name that is unique and stays: `Headset`.
    var id: String
    /// What the manufacturer calls it.
    var name: String
    /// It was plugged in, and so is meant to be used.
    var isUSB = false
    /// The numbers of its PCM devices that capture, and that play.
    var captureDevices: [Int32] = []
    var playbackDevices: [Int32] = []
    /// Why its PCM devices are not known.
    var problem: String?

    /// All cards, in the order of their numbers.
    ///
    /// The kernel's list names also those that this user may not open, which ALSA leaves out.
    static func all() -> [ALSACard] {
        ccb_alsa_capture_messages()
        return parse(DirectoryListing.text(of: "/proc/asound/cards") ?? "").map { $0.withDevices() }
    }

    /// Reads `/proc/asound/cards`: ` 0 [Headset        ]: USB-Audio - Jabra Headset`, with a second line for each card.
    static func parse(_ list: String) -> [ALSACard] {
        list.split(separator: "\n").compactMap { line in
            guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close,
                let index = Int32(line[..<open].filter { $0 != " " })
            else { return nil }
            let id = line[line.index(after: open)..<close].prefix { $0 != " " }
            var name = line[line.index(after: close)...].drop { $0 == ":" || $0 == " " }
            // The driver's name stands in front.
            let isUSB = name.hasPrefix("USB-Audio - ")
            var start = name.startIndex
            while start < name.endIndex, !name[start...].hasPrefix(" - ") { start = name.index(after: start) }
            if start < name.endIndex { name = name[start...].dropFirst(3) }
            return id.isEmpty ? nil : ALSACard(index: index, id: String(id), name: String(name), isUSB: isUSB)
        }
    }

    /// The card with this id, or else with this name; capitals do not matter.
    static func named(_ name: String) -> ALSACard? {
        let cards = all()
        let wanted = name.lowercased()
        return cards.first { $0.id == name } ?? cards.first { $0.id.lowercased() == wanted }
            ?? cards.first { $0.name.lowercased() == wanted }
    }

    /// The card a PCM name means by its first argument (`hw:Headset`, `plughw:CARD=Headset,DEV=1`); nil when none.
    static func ofPCM(_ name: String) -> ALSACard? {
        guard let colon = name.firstIndex(of: ":") else { return nil }
        var id = name[name.index(after: colon)...].prefix { $0 != "," }
        if id.hasPrefix("CARD=") { id = id.dropFirst(5) }
        return all().first { $0.id == id }
    }

    private func withDevices() -> ALSACard {
        var card = self
        var control: OpaquePointer?
        let result = snd_ctl_open(&control, "hw:\(index)", 0)
        guard result == 0, let control else {
            // libasound answers "no such device" when it may not open the node.
            let isForbidden =
                result == -EACCES || result == -EPERM
                || (access("/dev/snd/controlC\(index)", R_OK | W_OK) != 0 && errno == EACCES)
            card.problem = isForbidden ? ALSACard.permissionHint : DeviceError.text(ofCode: -result)
            return card
        }
        defer { snd_ctl_close(control) }
        card.captureDevices = ALSACard.devices(of: control, SND_PCM_STREAM_CAPTURE)
        card.playbackDevices = ALSACard.devices(of: control, SND_PCM_STREAM_PLAYBACK)
        return card
    }

    /// What is usually wrong when a sound card may not be opened.
    static let permissionHint = "is the user in group audio?"

    private static func devices(of control: OpaquePointer, _ stream: snd_pcm_stream_t) -> [Int32] {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) == 0, let info else { return [] }
        defer { snd_pcm_info_free(info) }
        var devices: [Int32] = []
        var device: Int32 = -1
        while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
            snd_pcm_info_set_device(info, UInt32(device))
            snd_pcm_info_set_subdevice(info, 0)
            snd_pcm_info_set_stream(info, stream)
            if snd_ctl_pcm_info(control, info) == 0 { devices.append(device) }
        }
        return devices
    }
}
