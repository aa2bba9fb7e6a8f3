import MediaTypes

/// What one line of a session description carries.
package enum LineKind: String, Hashable, Sendable {
    case audio
    case video
    /// SCTP data channels.
    case data = "application"

    package init(_ kind: MediaKind) {
        switch kind {
        case .audio: self = .audio
        case .video: self = .video
        }
    }

    /// The kind of track, nil for data channels.
    package var mediaKind: MediaKind? {
        switch self {
        case .audio: .audio
        case .video: .video
        case .data: nil
        }
    }
}
