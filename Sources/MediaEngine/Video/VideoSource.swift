import Codecs
import MediaTransport
import MediaTypes
import Realtime
import Synchronization

/// One remote stream's video on its way to the screen.
///
/// ```
/// cb-net: whole frame ─▶ ring ─▶ cb-vdec: VP8 ─▶ latest-wins mailbox ─▶ cb-screen
/// ```
/// - Thread: `receive` on `cb-net`, `decodeWaitingFrames` on `cb-vdec`, `takeLatest` on `cb-screen`.
// @unchecked: ring and mailbox order what crosses threads, counters are atomic, the decoder belongs to cb-vdec.
package final class VideoSource: @unchecked Sendable {
    /// Half of it bounds one frame: a VGA key frame at 1 Mbit/s has about 40 KB.
    static let ringBytes = 512 * 1_024

    package let name: String
    private let ring: RecordRing
    private let pictures: PictureMailbox
    private var decoder: VP8Decoder?
    private let decoded = Atomic<Int>(0)
    private let failed = Atomic<Int>(0)
    private let firstDecoded = Atomic<Int64>(0)
    private let wantsKeyFrame = Atomic<Bool>(false)
    private let width = Atomic<Int>(0)
    private let height = Atomic<Int>(0)
    private let muted = Atomic<Bool>(false)
    private let pictureSignal: EventSignal

    package init(name: String, frameSignal: EventSignal, pictureSignal: EventSignal) {
        self.name = name
        self.pictureSignal = pictureSignal
        ring = RecordRing(capacityBytes: VideoSource.ringBytes, readySignal: frameSignal)
        // Small until the first picture tells the size.
        pictures = PictureMailbox(size: PictureSize(width: 16, height: 16), readySignal: pictureSignal)
    }

    /// Hands a whole frame to the decoding thread. A full ring drops it and asks for a key frame.
    package func receive(_ frame: ReceivedVideoFrame) {
        let header = RecordHeader(
            kind: 0, flags: frame.isKeyFrame ? 1 : 0, sequence: 0, timestamp: frame.timestamp, time: .zero, value: 0)
        if !ring.write(header, frame.bytes) { wantsKeyFrame.store(true, ordering: .relaxed) }
    }

    /// True once after the decoder lost its thread: the caller asks the sender for a key frame.
    package func takeKeyFrameRequest() -> Bool { wantsKeyFrame.exchange(false, ordering: .relaxed) }

    func decodeWaitingFrames() {
        while let (header, payload) = ring.read() {
            defer { ring.consume() }
            do throws(CodecError) {
                let decoder: VP8Decoder
                if let existing = self.decoder {
                    decoder = existing
                } else {
                    guard header.flags & 1 != 0 else {
                        wantsKeyFrame.store(true, ordering: .relaxed)
                        continue
                    }
                    decoder = try VP8Decoder()
                    self.decoder = decoder
                }
                let picture = pictures.back
                guard try decoder.decode(payload, into: picture) else { continue }
                let now = MonotonicClock.now()
                picture.timestamp = RTPTimestamp(UInt32(truncatingIfNeeded: header.timestamp))
                picture.captureTime = now
                let number = decoded.wrappingAdd(1, ordering: .relaxed).newValue
                picture.number = Int64(number)
                if number == 1 { firstDecoded.store(now.nanoseconds, ordering: .relaxed) }
                width.store(picture.size.width, ordering: .relaxed)
                height.store(picture.size.height, ordering: .relaxed)
                pictures.publish()
            } catch {
                failed.wrappingAdd(1, ordering: .relaxed)
                wantsKeyFrame.store(true, ordering: .relaxed)
            }
        }
    }

    /// Muted: the owner switched the camera off. The tile shows a sign for that instead of the last picture; after an
    /// unmute it does so until the first new picture comes.
    /// - Thread: any.
    package func setMuted(_ isMuted: Bool) {
        muted.store(isMuted, ordering: .relaxed)
        pictureSignal.signal()
    }

    package var isMuted: Bool { muted.load(ordering: .relaxed) }

    /// The picture on show; it stays when no newer one comes. Only `cb-screen`.
    private(set) var shown: Picture?
    /// The sign for a camera that is off is on show instead of a picture. Only `cb-screen`.
    private(set) var showsCameraOff = false

    /// Moves on to the newest picture, if there is one. Only `cb-screen`.
    func advancePicture() {
        let latest = pictures.takeLatest()
        if isMuted {
            // Stragglers are taken and dropped.
            shown = nil
            showsCameraOff = true
        } else if let latest {
            shown = latest
            showsCameraOff = false
        }
    }

    package var statistics: VideoSourceStatistics {
        let first = firstDecoded.load(ordering: .relaxed)
        return VideoSourceStatistics(
            decodedCount: decoded.load(ordering: .relaxed), failedCount: failed.load(ordering: .relaxed),
            droppedCount: ring.droppedCount,
            size: PictureSize(width: width.load(ordering: .relaxed), height: height.load(ordering: .relaxed)),
            firstDecodedTime: first == 0 ? nil : MonotonicTime(nanoseconds: first))
    }
}
