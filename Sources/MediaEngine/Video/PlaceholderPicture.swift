import Codecs
import MediaTypes

/// What is shown where there is no picture: a sign on a plain ground.
///
/// - `noCamera`: sent to the others while this endpoint's camera is missing: a crossed-out lens on grey.
/// - `cameraOff`: shown in the tile of a participant who switched the camera off: a crossed-out camera on dark blue.
enum PlaceholderPicture {
    case noCamera
    case cameraOff

    /// The ground's colour, by which the two are told apart.
    var background: PictureColor {
        switch self {
        case .noCamera: PictureColor(luma: 52)
        case .cameraOff: PictureColor(luma: 40, blueChroma: 138, redChroma: 122)
        }
    }

    /// The sign is lighter than its ground.
    static let foreground: UInt8 = 150

    func draw(in picture: Picture) {
        picture.fill(PictureRectangle(picture.size), with: background)
        let radius = min(picture.size.width, picture.size.height) / 5
        let stroke = max(1, radius / 8)
        let centreX = picture.size.width / 2
        let centreY = picture.size.height / 2
        for y in max(0, centreY - radius)..<min(picture.size.height, centreY + radius) {
            let row = picture.luma + y * picture.lumaStride
            for x in max(0, centreX - radius)..<min(picture.size.width, centreX + radius)
            where isSign(x - centreX, y - centreY, radius: radius, stroke: stroke) {
                row[x] = PlaceholderPicture.foreground
            }
        }
    }

    /// Whether the sign covers a point, given from the middle of the picture.
    private func isSign(_ x: Int, _ y: Int, radius: Int, stroke: Int) -> Bool {
        let distance = x * x + y * y
        guard distance <= radius * radius else { return false }
        let isBar = abs(x - y) <= stroke
        switch self {
        case .noCamera:
            return isBar || distance >= (radius - stroke) * (radius - stroke)
        case .cameraOff:
            // A gap beside the bar lets it stand out from the camera.
            if isBar || abs(x - y) <= 2 * stroke { return isBar }
            let isBody = x >= -radius * 6 / 10 && x <= radius * 2 / 10 && abs(y) <= radius * 4 / 10
            let isFront = x > radius * 3 / 10 && x <= radius * 6 / 10 && abs(y) <= x * 6 / 10
            return isBody || isFront
        }
    }
}
