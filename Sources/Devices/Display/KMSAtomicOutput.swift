import CDRM
import CDisplayShims
import MediaTypes

/// The interface that changes everything in one step, or nothing.
///
/// - Thread: one at a time. A flip sends one property and takes no memory beyond the library's own.
final class KMSAtomicOutput: KMSOutput {
    private let card: KMSCard
    private let crtc: UInt32
    private let connector: UInt32
    private let plane: UInt32
    private let crtcProperties: KMSProperties
    private let connectorProperties: KMSProperties
    private let planeProperties: KMSProperties
    private let framebufferProperty: UInt32
    /// Connectors of the console that are to be let go.
    private let otherConnectors: [(id: UInt32, property: UInt32)]
    private let request: OpaquePointer
    private var modeBlob: UInt32 = 0

    /// Nil where the driver has no such interface, or not all that is needed.
    init?(card: KMSCard, route: KMSRoute, connector: KMSConnector) {
        guard drmSetClientCap(card.descriptor, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1) == 0,
            drmSetClientCap(card.descriptor, UInt64(DRM_CLIENT_CAP_ATOMIC), 1) == 0,
            let plane = KMSAtomicOutput.primaryPlane(card: card, route: route)
        else { return nil }
        crtcProperties = KMSProperties(card: card, object: route.crtc, kind: UInt32(DRM_MODE_OBJECT_CRTC))
        connectorProperties = KMSProperties(card: card, object: connector.id, kind: UInt32(DRM_MODE_OBJECT_CONNECTOR))
        planeProperties = KMSProperties(card: card, object: plane, kind: UInt32(DRM_MODE_OBJECT_PLANE))
        guard let framebufferProperty = planeProperties.number("FB_ID"), let request = drmModeAtomicAlloc() else {
            return nil
        }
        self.card = card
        self.plane = plane
        self.framebufferProperty = framebufferProperty
        self.request = request
        crtc = route.crtc
        self.connector = connector.id
        otherConnectors = route.connectors(card: card).filter { $0 != connector.id }.compactMap { id in
            KMSProperties(card: card, object: id, kind: UInt32(DRM_MODE_OBJECT_CONNECTOR)).number("CRTC_ID").map {
                (id, $0)
            }
        }
    }

    deinit {
        drmModeAtomicFree(request)
        if modeBlob != 0 { drmModeDestroyPropertyBlob(card.descriptor, modeBlob) }
    }

    var interface: KMSOptions.Interface { .atomic }

    func set(_ mode: drmModeModeInfo, framebuffer: UInt32) -> Int32 {
        var mode = mode
        var blob: UInt32 = 0
        let code = drmModeCreatePropertyBlob(card.descriptor, &mode, MemoryLayout<drmModeModeInfo>.size, &blob)
        guard code == 0 else { return code }
        if modeBlob != 0 { drmModeDestroyPropertyBlob(card.descriptor, modeBlob) }
        modeBlob = blob
        drmModeAtomicSetCursor(request, 0)
        let width = UInt64(mode.hdisplay)
        let height = UInt64(mode.vdisplay)
        var isComplete = true
        func add(_ object: UInt32, _ properties: KMSProperties, _ name: String, _ value: UInt64) {
            guard let number = properties.number(name) else { return isComplete = false }
            drmModeAtomicAddProperty(request, object, number, value)
        }
        for other in otherConnectors { drmModeAtomicAddProperty(request, other.id, other.property, 0) }
        add(connector, connectorProperties, "CRTC_ID", UInt64(crtc))
        add(crtc, crtcProperties, "MODE_ID", UInt64(blob))
        add(crtc, crtcProperties, "ACTIVE", 1)
        add(plane, planeProperties, "FB_ID", UInt64(framebuffer))
        add(plane, planeProperties, "CRTC_ID", UInt64(crtc))
        // Where a picture is taken from is in 1/65536 of a pixel.
        for (name, value) in [("SRC_X", 0), ("SRC_Y", 0), ("SRC_W", width << 16), ("SRC_H", height << 16)] {
            add(plane, planeProperties, name, value)
        }
        for (name, value) in [("CRTC_X", 0), ("CRTC_Y", 0), ("CRTC_W", width), ("CRTC_H", height)] {
            add(plane, planeProperties, name, value)
        }
        guard isComplete else { return -22 }
        return drmModeAtomicCommit(card.descriptor, request, UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), nil)
    }

    func flip(to framebuffer: UInt32, number: UInt64) -> Int32 {
        drmModeAtomicSetCursor(request, 0)
        drmModeAtomicAddProperty(request, plane, framebufferProperty, UInt64(framebuffer))
        return drmModeAtomicCommit(
            card.descriptor, request, UInt32(DRM_MODE_PAGE_FLIP_EVENT) | UInt32(DRM_MODE_ATOMIC_NONBLOCK),
            UnsafeMutableRawPointer(bitPattern: UInt(number)))
    }

    /// The plane that the console uses on this part, else the first primary one that can.
    private static func primaryPlane(card: KMSCard, route: KMSRoute) -> UInt32? {
        guard let planes = drmModeGetPlaneResources(card.descriptor) else { return nil }
        defer { drmModeFreePlaneResources(planes) }
        var found: UInt32?
        for index in 0..<Int(planes.pointee.count_planes) {
            let id = planes.pointee.planes[index]
            guard let plane = drmModeGetPlane(card.descriptor, id) else { continue }
            defer { drmModeFreePlane(plane) }
            let properties = KMSProperties(card: card, object: id, kind: UInt32(DRM_MODE_OBJECT_PLANE))
            guard properties.value("type") == UInt64(DRM_PLANE_TYPE_PRIMARY),
                plane.pointee.possible_crtcs & (1 << UInt32(route.index)) != 0
            else { continue }
            if plane.pointee.crtc_id == route.crtc { return id }
            if found == nil { found = id }
        }
        return found
    }
}
