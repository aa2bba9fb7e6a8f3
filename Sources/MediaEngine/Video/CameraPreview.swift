import Codecs
import MediaTypes
import Realtime
import Synchronization

/// One's own picture on its way to the screen, small and less often than it is sent.
///
/// ```
/// cb-camera: picture ─▶ a half, a quarter or an eighth of it ─▶ latest-wins mailbox ─▶ cb-screen
/// ```
/// - Thread: `offer` and `setOpen` on `cb-camera`, the rest on `cb-screen`.
// @unchecked: the mailbox orders what crosses threads; the other values are atomic or belong to cb-camera.
package final class CameraPreview: @unchecked Sendable {
    /// A face in a corner needs no more.
    static let period = Interval.milliseconds(100)

    let place: PreviewPlace
    private let pictures: PictureMailbox
    private let pictureSignal: EventSignal
    /// Width and height of the room on the screen, in one number; 0: no screen is there.
    private let room = Atomic<Int>(0)
    private let open = Atomic<Bool>(false)
    private var nextTime = MonotonicTime.zero

    init(place: PreviewPlace, pictureSignal: EventSignal) {
        self.place = place
        self.pictureSignal = pictureSignal
        // Small until the screen tells its size.
        pictures = PictureMailbox(size: PictureSize(width: 16, height: 16), readySignal: pictureSignal)
    }

    /// The screen's size; nil: there is none.
    func setScreen(_ size: PictureSize?) {
        // A third of a screen is the most that may be hidden of the others.
        room.store(size.map { ($0.width / 3) << 16 | $0.height * 34 / 100 } ?? 0, ordering: .relaxed)
    }

    /// Whether a camera is open: without, the preview goes.
    func setOpen(_ isOpen: Bool) {
        guard open.exchange(isOpen, ordering: .relaxed) != isOpen else { return }
        pictureSignal.signal()
    }

    var isOpen: Bool { open.load(ordering: .relaxed) }

    /// Takes a picture over if it is time for one.
    func offer(_ picture: Picture, at now: MonotonicTime) {
        let limit = room.load(ordering: .relaxed)
        guard limit != 0, now >= nextTime else { return }
        nextTime = now + CameraPreview.period
        let small = CameraPreview.size(
            of: picture.size, within: PictureSize(width: limit >> 16, height: limit & 0xFFFF))
        let back = pictures.back
        back.resize(to: small)
        PictureScaler.scale(picture, into: back)
        pictures.publish()
    }

    /// The newest picture, if there is one that was not taken.
    func takeLatest() -> Picture? { pictures.takeLatest() }

    /// The largest half, quarter, … that fits: those are scaled quickest.
    static func size(of picture: PictureSize, within room: PictureSize) -> PictureSize {
        var divisor = 1
        while divisor < 64, picture.width / divisor > room.width || picture.height / divisor > room.height {
            divisor *= 2
        }
        return PictureSize(
            width: max(2, picture.width / divisor & ~1), height: max(2, picture.height / divisor & ~1))
    }
}
