import CDRM

/// What the card showed before: the console, as a rule. Put back when the display is closed; after a sudden end of the
/// process the kernel does that itself.
struct KMSConsole {
    private let crtc: UInt32
    private var framebuffer: UInt32 = 0
    private var x: UInt32 = 0
    private var y: UInt32 = 0
    private var mode: drmModeModeInfo?
    private var connectors: [UInt32]

    init(card: KMSCard, route: KMSRoute) {
        crtc = route.crtc
        connectors = route.connectors(card: card)
        guard let state = drmModeGetCrtc(card.descriptor, route.crtc) else { return }
        defer { drmModeFreeCrtc(state) }
        guard state.pointee.mode_valid != 0, state.pointee.buffer_id != 0 else { return }
        framebuffer = state.pointee.buffer_id
        x = state.pointee.x
        y = state.pointee.y
        mode = state.pointee.mode
    }

    /// A screen that was off is switched off.
    func restore(on card: KMSCard) {
        guard var mode, !connectors.isEmpty else {
            drmModeSetCrtc(card.descriptor, crtc, 0, 0, 0, nil, 0, nil)
            return
        }
        var ids = connectors
        drmModeSetCrtc(card.descriptor, crtc, framebuffer, x, y, &ids, Int32(ids.count), &mode)
    }
}
