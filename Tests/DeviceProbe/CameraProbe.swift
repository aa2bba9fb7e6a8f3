import Codecs
import Devices
import MediaTypes
import Realtime

/// Counts the pictures of a camera, and opens it again when it fails, as the endpoint does.
final class CameraProbe {
    private let specifier: DeviceSpecifier
    private let wish: CameraWish
    private let picturePath: String?
    private let registry = DeviceRegistry()
    private let picture = Picture(size: PictureSize(width: 2, height: 2))
    private var pictureCount = 0
    private var timeoutCount = 0
    private var openCount = 0
    private var longestGap = Interval.zero
    private var lastError = ""

    init(specifier: DeviceSpecifier, wish: CameraWish, picturePath: String?) {
        self.specifier = specifier
        self.wish = wish
        self.picturePath = picturePath
    }

    func run(for time: Interval) {
        let start = MonotonicClock.now()
        let end = start + time
        while MonotonicClock.now() < end {
            do throws(DeviceError) {
                try use(until: end)
            } catch {
                if error.description != lastError { ProbeText.print("error: \(error)") }
                lastError = error.description
                MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(250))
            }
        }
        let seconds = (MonotonicClock.now() - start).seconds
        ProbeText.print(
            "total pictures=\(pictureCount) rate=\(ProbeText.hundredths(Double(pictureCount) / seconds))"
                + " timeouts=\(timeoutCount) opened=\(openCount) longest_gap_ms=\(longestGap.milliseconds)"
                + " cpu_s=\(ProbeText.hundredths(ProbeText.processorSeconds))")
    }

    private func use(until end: MonotonicTime) throws(DeviceError) {
        let camera = try registry.openCamera(specifier, size: wish.size, framesPerSecond: wish.framesPerSecond)
        defer { camera.close() }
        openCount += 1
        lastError = ""
        ProbeText.print("opened \(camera.size) at \(ProbeText.hundredths(camera.framesPerSecond))")
        var lastTime: MonotonicTime?
        var nextLine = MonotonicClock.now() + .seconds(Int64(1))
        while MonotonicClock.now() < end {
            guard try camera.capture(into: picture, timeoutMilliseconds: 2_000) else {
                timeoutCount += 1
                ProbeText.print("no picture for two seconds")
                return
            }
            pictureCount += 1
            if let lastTime { longestGap = max(longestGap, picture.captureTime - lastTime) }
            lastTime = picture.captureTime
            let now = MonotonicClock.now()
            guard now >= nextLine else { continue }
            nextLine = now + .seconds(Int64(1))
            ProbeText.print(
                "picture \(picture.number) age_ms=\((now - picture.captureTime).milliseconds)"
                    + " luma=\(meanLuma) code=\(FrameCounterCode.read(from: picture) ?? -1)"
                    + " dropped=\(camera.droppedPictureCount)")
            if let picturePath { try? PNGWriter().write(picture, to: picturePath) }
        }
    }

    private var meanLuma: Int {
        var sum = 0
        for row in 0..<picture.size.height {
            for column in 0..<picture.size.width { sum += Int(picture.luma[row * picture.lumaStride + column]) }
        }
        return sum / (picture.size.width * picture.size.height)
    }
}
