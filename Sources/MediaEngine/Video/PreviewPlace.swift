import MediaTypes

/// Where one's own picture stands on the screen.
package enum PreviewPlace: String, Sendable, CaseIterable {
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"

    /// The upper left corner of a picture of this size; even numbers.
    func corner(of picture: PictureSize, on screen: PictureSize, margin: Int) -> (x: Int, y: Int) {
        let right = max(0, screen.width - picture.width - margin) & ~1
        let bottom = max(0, screen.height - picture.height - margin) & ~1
        let near = margin & ~1
        return switch self {
        case .topLeft: (near, near)
        case .topRight: (right, near)
        case .bottomLeft: (near, bottom)
        case .bottomRight: (right, bottom)
        }
    }
}
