import CDRM

/// Which of the card's parts lead to the screen.
struct KMSRoute {
    /// The card's part that reads buffers out, in the screen's time.
    var crtc: UInt32
    /// Its place in the card's list, as other parts name it.
    var index: Int

    /// The one that feeds the connector already, else one that nobody uses, else any that can.
    static func find(card: KMSCard, connector: KMSConnector) -> KMSRoute? {
        guard let resources = drmModeGetResources(card.descriptor) else { return nil }
        defer { drmModeFreeResources(resources) }
        let crtcs = Array(
            UnsafeBufferPointer(start: resources.pointee.crtcs, count: Int(resources.pointee.count_crtcs)))
        if let current = self.crtc(of: connector.encoder, card: card), let index = crtcs.firstIndex(of: current) {
            return KMSRoute(crtc: current, index: index)
        }
        var possible: UInt32 = 0
        for id in connector.encoders {
            guard let encoder = drmModeGetEncoder(card.descriptor, id) else { continue }
            possible |= encoder.pointee.possible_crtcs
            drmModeFreeEncoder(encoder)
        }
        let usable = crtcs.indices.filter { $0 < 32 && possible & (1 << UInt32($0)) != 0 }
        let used = Set(
            KMSConnector.all(descriptor: card.descriptor, probes: false).compactMap {
                self.crtc(of: $0.encoder, card: card)
            })
        return (usable.first { !used.contains(crtcs[$0]) } ?? usable.first).map {
            KMSRoute(crtc: crtcs[$0], index: $0)
        }
    }

    /// Connectors that show what the part reads out, now.
    func connectors(card: KMSCard) -> [UInt32] {
        KMSConnector.all(descriptor: card.descriptor, probes: false).filter {
            KMSRoute.crtc(of: $0.encoder, card: card) == crtc
        }.map(\.id)
    }

    private static func crtc(of encoder: UInt32, card: KMSCard) -> UInt32? {
        guard encoder != 0, let answer = drmModeGetEncoder(card.descriptor, encoder) else { return nil }
        defer { drmModeFreeEncoder(answer) }
        return answer.pointee.crtc_id == 0 ? nil : answer.pointee.crtc_id
    }
}
