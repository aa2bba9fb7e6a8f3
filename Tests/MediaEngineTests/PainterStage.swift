import Codecs
import Devices
@testable import MediaTransport
import MediaTypes
import Realtime

@testable import MediaEngine

/// A painter with streams that are fed by hand, without threads.
final class PainterStage {
    let painter: ScreenPainter
    let sources: [VideoSource]
    let preview: CameraPreview
    var content = ScreenContent()
    private var encoders: [VP8Encoder] = []
    private var counts: [Int]
    private var previewTime = MonotonicTime.zero
    private let picture = Picture(size: PictureSize(width: 320, height: 240))

    init(names: [String], size: PictureSize) throws {
        let frames = try EventSignal()
        let pictures = try EventSignal()
        preview = CameraPreview(place: .bottomRight, pictureSignal: pictures)
        painter = ScreenPainter(size: size, preview: preview)
        sources = names.map { VideoSource(name: "id-\($0)", frameSignal: frames, pictureSignal: pictures) }
        counts = names.map { _ in 0 }
        content.tiles = names.map { ScreenContent.Tile(id: "id-\($0)", name: $0) }
        for _ in names {
            encoders.append(
                try VP8Encoder(size: picture.size, bitrate: .kilobitsPerSecond(500), framesPerSecond: 20))
        }
    }

    /// Gives a stream its next picture: stripes whose brightness differs by stream and number.
    func send(_ index: Int) {
        counts[index] += 1
        fill(luma: UInt8(70 + 40 * index + counts[index]))
        guard
            let frame = try? encoders[index].encode(
                picture, timestamp: RTPTimestamp(UInt32(counts[index]) * 4_500), forceKeyFrame: true)
        else { return }
        sources[index].receive(
            ReceivedVideoFrame(
                bytes: frame.bytes, timestamp: Int64(counts[index]) * 4_500, isKeyFrame: true,
                completion: MonotonicClock.now(), senderTime: nil))
        sources[index].decodeWaitingFrames()
    }

    func showPreview() {
        preview.setOpen(true)
        fill(luma: 200)
        previewTime = previewTime + .seconds(Int64(1))
        preview.offer(picture, at: previewTime)
    }

    func hidePreview() { preview.setOpen(false) }

    func paint() {
        painter.arrange(content, sources: sources)
        painter.draw()
    }

    private func fill(luma: UInt8) {
        for column in stride(from: 0, to: picture.size.width, by: 16) {
            let color = PictureColor(
                luma: luma &+ UInt8(column / 16), blueChroma: UInt8(100 + column / 8),
                redChroma: UInt8(140 - column / 8))
            picture.fill(PictureRectangle(x: column, y: 0, width: 16, height: picture.size.height), with: color)
        }
    }

    /// The largest difference of two screens' luma.
    static func difference(_ a: ScreenPainter, _ b: ScreenPainter) -> Int {
        let one = a.compositor.picture
        let other = b.compositor.picture
        var largest = 0
        for row in 0..<one.size.height {
            for column in 0..<one.size.width {
                let offset = row * one.lumaStride + column
                largest = max(largest, abs(Int(one.luma[offset]) - Int(other.luma[offset])))
            }
        }
        return largest
    }

    func difference(from other: PainterStage) -> Int { PainterStage.difference(painter, other.painter) }
}
