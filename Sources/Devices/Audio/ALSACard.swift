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
    /// The numbers of its PCM devices that capture, and that play.
    var captureDevices: [Int32] = []
    var playbackDevices: [Int32] = []
    /// Why its PCM devices are not known.
    var problem: String?

    /// All cards, in the order of their numbers.
    static func all() -> [ALSACard] {
        ccb_alsa_capture_messages()
        var cards: [ALSACard] = []
        var index: Int32 = -1
        while snd_card_next(&index) == 0, index >= 0 {
            cards.append(card(index))
        }
        return cards
    }

    /// The card with this id, or else with this name; capitals do not matter.
    static func named(_ name: String) -> ALSACard? {
        let cards = all()
        let wanted = name.lowercased()
        return cards.first { $0.id == name } ?? cards.first { $0.id.lowercased() == wanted }
            ?? cards.first { $0.name.lowercased() == wanted }
    }

    private static func card(_ index: Int32) -> ALSACard {
        var card = ALSACard(index: index, id: "\(index)", name: "unknown card")
        // Without the right to open the control device, /proc still tells the id.
        if let id = DirectoryListing.text(of: "/proc/asound/card\(index)/id") { card.id = trimmed(id) }
        if let name = cString(index, snd_card_get_name) { card.name = name }
        var control: OpaquePointer?
        let result = snd_ctl_open(&control, "hw:\(index)", 0)
        guard result == 0, let control else {
            card.problem =
                result == -EACCES || result == -EPERM
                ? "not permitted: is the user in group audio?" : DeviceError.text(ofCode: -result)
            return card
        }
        defer { snd_ctl_close(control) }
        card.captureDevices = devices(of: control, SND_PCM_STREAM_CAPTURE)
        card.playbackDevices = devices(of: control, SND_PCM_STREAM_PLAYBACK)
        return card
    }

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

    private static func cString(
        _ index: Int32, _ get: (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard get(index, &text) == 0, let text else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    private static func trimmed(_ line: String) -> String {
        String(line.prefix { $0 != "\n" })
    }
}
