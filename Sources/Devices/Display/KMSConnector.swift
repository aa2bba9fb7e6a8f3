import CDRM
import Glibc

/// A place where a screen is plugged in, as the kernel saw it last.
struct KMSConnector: Sendable {
    var id: UInt32
    /// As in `/sys/class/drm/card0-NAME`.
    var name: String
    var isConnected: Bool
    var modes: [KMSMode]
    /// The same modes as the kernel gave them.
    var rawModes: [drmModeModeInfo]
    /// What feeds it now; 0 when nothing does.
    var encoder: UInt32
    /// What could feed it.
    var encoders: [UInt32]

    /// - Parameter probes: asks the screen itself, which may take some 100 ms, instead of what the kernel remembers.
    /// - Returns: nil when there is no such connector (any more).
    init?(descriptor: Int32, id: UInt32, probes: Bool) {
        let answer = probes ? drmModeGetConnector(descriptor, id) : drmModeGetConnectorCurrent(descriptor, id)
        guard let answer else { return nil }
        defer { drmModeFreeConnector(answer) }
        let raw = answer.pointee
        self.id = id
        let type = drmModeGetConnectorTypeName(raw.connector_type).map { String(cString: $0) } ?? "Unknown"
        name = "\(type)-\(raw.connector_type_id)"
        isConnected = raw.connection == DRM_MODE_CONNECTED
        rawModes = Array(UnsafeBufferPointer(start: raw.modes, count: Int(raw.count_modes)))
        modes = rawModes.enumerated().map { KMSMode($0.element, index: $0.offset) }
        encoder = raw.encoder_id
        encoders = Array(UnsafeBufferPointer(start: raw.encoders, count: Int(raw.count_encoders)))
    }

    /// All of a card, in the kernel's order.
    static func all(descriptor: Int32, probes: Bool) -> [KMSConnector] {
        guard let resources = drmModeGetResources(descriptor) else { return [] }
        defer { drmModeFreeResources(resources) }
        let ids = UnsafeBufferPointer(
            start: resources.pointee.connectors, count: Int(resources.pointee.count_connectors))
        return ids.compactMap { KMSConnector(descriptor: descriptor, id: $0, probes: probes) }
    }
}
