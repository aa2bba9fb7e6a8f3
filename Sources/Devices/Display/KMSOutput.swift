import CDRM

/// Hands buffers to the kernel, by one of its two interfaces.
///
/// Results are 0 or -errno.
protocol KMSOutput: AnyObject {
    /// The interface, as the specifier names it.
    var interface: KMSOptions.Interface { get }
    /// Sets the mode and shows the buffer; waits until it is done.
    func set(_ mode: drmModeModeInfo, framebuffer: UInt32) -> Int32
    /// Shows the buffer from the next vertical blank on; an event with the number tells when.
    func flip(to framebuffer: UInt32, number: UInt64) -> Int32
}

/// The interface of old, which every driver has.
final class KMSLegacyOutput: KMSOutput {
    private let card: KMSCard
    private let crtc: UInt32
    private let connector: UInt32

    init(card: KMSCard, route: KMSRoute, connector: KMSConnector) {
        self.card = card
        crtc = route.crtc
        self.connector = connector.id
    }

    var interface: KMSOptions.Interface { .legacy }

    func set(_ mode: drmModeModeInfo, framebuffer: UInt32) -> Int32 {
        var mode = mode
        var connector = connector
        return drmModeSetCrtc(card.descriptor, crtc, framebuffer, 0, 0, &connector, 1, &mode)
    }

    func flip(to framebuffer: UInt32, number: UInt64) -> Int32 {
        drmModePageFlip(
            card.descriptor, crtc, framebuffer, UInt32(DRM_MODE_PAGE_FLIP_EVENT),
            UnsafeMutableRawPointer(bitPattern: UInt(number)))
    }
}
