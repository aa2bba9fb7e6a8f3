import CV4L

/// What a video node says about itself.
struct V4L2Capability: Equatable, Sendable {
    var driver: String
    /// The name of the camera.
    var card: String
    /// Where it is plugged in: `usb-0000:00:14.0-1`. It stays, while node numbers change.
    var bus: String
    /// It delivers pictures by streaming.
    var isCamera: Bool

    init(_ raw: v4l2_capability) {
        driver = V4L2Capability.text(of: raw.driver)
        card = V4L2Capability.text(of: raw.card)
        bus = V4L2Capability.text(of: raw.bus_info)
        let flags =
            raw.capabilities & UInt32(bitPattern: Int32(truncatingIfNeeded: V4L2_CAP_DEVICE_CAPS)) != 0
            ? raw.device_caps : raw.capabilities
        let needed = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
        isCamera = flags & needed == needed
    }

    /// A fixed array of characters that ends with a zero or is full.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
