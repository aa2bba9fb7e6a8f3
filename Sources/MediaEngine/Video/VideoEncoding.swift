import Codecs
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// Encodes the camera's pictures once for everybody, on a thread of its own.
///
/// ```
/// mailbox ─▶ VP8 ─▶ ring ─▶ cb-net ─▶ every peer connection
/// ```
/// Without anybody to send to, nothing is encoded. The first picture of a camera that was opened is a key frame.
// @unchecked: the encoder belongs to cb-venc; requests are atomic, the ring orders the rest.
package final class VideoEncoding: @unchecked Sendable {
    /// Encoded frames: `timestamp` is 90 kHz ticks of the monotonic clock, `flags` bit 0 a key frame, `time` the capture.
    package let frames: RecordRing
    private let pictures: PictureMailbox
    private let pictureSignal: EventSignal
    private let framesPerSecond: Int
    private let wantedBitrate: Atomic<Int>
    private let wantsKeyFrame = Atomic<Bool>(false)
    private let isNeeded = Atomic<Bool>(false)
    private let encoded = Atomic<Int>(0)
    private let keyFrames = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)
    /// Allocations of cb-venc.
    package let allocations = AllocationProbe()
    private let faults = Counter("video.encoder-faults")
    private let thread = Mutex<RealtimeThread?>(nil)

    package init(
        pictures: PictureMailbox, pictureSignal: EventSignal, framesPerSecond: Int, bitrate: Bitrate,
        readySignal: EventSignal
    ) {
        self.pictures = pictures
        self.pictureSignal = pictureSignal
        self.framesPerSecond = framesPerSecond
        wantedBitrate = Atomic(bitrate.bitsPerSecond)
        frames = RecordRing(capacityBytes: 256 * 1_024, readySignal: readySignal)
    }

    package func start() throws(SystemError) {
        let handle = try RealtimeThread(
            name: "cb-venc", priority: .normal, stackBytes: 512 * 1_024, wakeSignal: pictureSignal
        ) { stop in
            self.run(stop)
        }
        thread.withLock { $0 = handle }
    }

    package func stop() {
        thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }?.stopAndJoin()
    }

    package func requestKeyFrame() { wantsKeyFrame.store(true, ordering: .relaxed) }
    package func setBitrate(_ bitrate: Bitrate) { wantedBitrate.store(bitrate.bitsPerSecond, ordering: .relaxed) }
    package func setNeeded(_ needed: Bool) { isNeeded.store(needed, ordering: .relaxed) }
    package var encodedCount: Int { encoded.load(ordering: .relaxed) }
    package var keyFrameCount: Int { keyFrames.load(ordering: .relaxed) }
    package var encodedBytes: Int { bytes.load(ordering: .relaxed) }
    package var bitrate: Bitrate { Bitrate(bitsPerSecond: wantedBitrate.load(ordering: .relaxed)) }

    /// A picture's number with the count of cameras opened before it in the upper bits: another count is another scene.
    static func number(_ number: Int64, openings: Int64) -> Int64 {
        openings << VideoEncoding.numberBits | number & (1 << VideoEncoding.numberBits - 1)
    }

    private static let numberBits: Int64 = 40

    private func run(_ stop: StopFlag) {
        var encoder: VP8Encoder?
        var openings: Int64 = 0
        while !stop.isSet {
            allocations.record()
            guard pictureSignal.wait(timeoutMilliseconds: 500), let picture = pictures.takeLatest() else { continue }
            guard isNeeded.load(ordering: .relaxed) else { continue }
            let bitrate = Bitrate(bitsPerSecond: wantedBitrate.load(ordering: .relaxed))
            do throws(CodecError) {
                let current: VP8Encoder
                if let encoder {
                    current = encoder
                    current.setBitrate(bitrate)
                } else {
                    current = try VP8Encoder(size: picture.size, bitrate: bitrate, framesPerSecond: framesPerSecond)
                    encoder = current
                }
                // Multiplying in parts keeps the product of years of uptime inside 64 bits.
                let ticks = picture.captureTime.nanoseconds / 100_000 * 9
                if picture.number >> VideoEncoding.numberBits != openings {
                    openings = picture.number >> VideoEncoding.numberBits
                    wantsKeyFrame.store(true, ordering: .relaxed)
                }
                let isForced = wantsKeyFrame.exchange(false, ordering: .relaxed)
                guard
                    let frame = try current.encode(
                        picture, timestamp: RTPTimestamp(UInt32(truncatingIfNeeded: ticks)), forceKeyFrame: isForced)
                else {
                    if isForced { wantsKeyFrame.store(true, ordering: .relaxed) }
                    continue
                }
                let header = RecordHeader(
                    kind: 0, flags: frame.isKeyFrame ? 1 : 0, sequence: picture.number, timestamp: ticks,
                    time: picture.captureTime, value: 0)
                if frames.write(header, frame.bytes) {
                    encoded.wrappingAdd(1, ordering: .relaxed)
                    bytes.wrappingAdd(frame.bytes.count, ordering: .relaxed)
                    if frame.isKeyFrame { keyFrames.wrappingAdd(1, ordering: .relaxed) }
                } else {
                    // The peers miss a frame that later ones refer to.
                    wantsKeyFrame.store(true, ordering: .relaxed)
                }
            } catch {
                faults.increment()
                encoder = nil
            }
        }
    }
}
