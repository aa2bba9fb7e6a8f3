import Codecs
import MediaTypes

/// Keeps the size of the published pictures while cameras of other sizes come and go.
///
/// - Thread: `cb-camera` only. A camera of the stream's size writes into the published picture directly; another one
///   into a picture of its own, which is scaled: libyuv takes a few rows of memory for that, the picture is kept.
struct PictureFitting: ~Copyable {
    /// Of the published pictures: as configured, until the first camera opens; then that camera's.
    private(set) var size: PictureSize
    private var isSettled = false
    private var cameraPicture: Picture?

    init(size: PictureSize) {
        self.size = size
    }

    /// A camera was opened that delivers this size.
    mutating func begin(with cameraSize: PictureSize) {
        if !isSettled {
            isSettled = true
            size = cameraSize
        }
        cameraPicture = cameraSize == size ? nil : Picture(size: cameraSize)
    }

    /// Where the camera puts its picture.
    func captureTarget(for published: Picture) -> Picture {
        cameraPicture ?? published
    }

    /// Completes the published picture.
    func finish(_ published: Picture) {
        guard let cameraPicture else { return }
        published.resize(to: size)
        PictureScaler.scale(cameraPicture, into: published)
    }
}
