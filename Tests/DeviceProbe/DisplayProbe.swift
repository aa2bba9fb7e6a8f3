import Codecs
import Devices
import Glibc
import MediaTypes
import Realtime

/// Shows a picture on a display, opened again when it fails, and tells what the display did.
///
/// The picture is a PNG file, or a card of colours made for the display's size: eight bars of known colours, and below
/// them a white square that steps through black, to show that pictures move and that only what changes is written.
final class DisplayProbe {
    private let registry = DeviceRegistry()
    private let specifier: DeviceSpecifier
    private let picturePath: String?
    /// Milliseconds between two steps of the square; 0: it stands still.
    private let stepMilliseconds: Int64
    private var lastError = ""
    private var openCount = 0
    private var totals = DisplayFigures()

    init(specifier: DeviceSpecifier, stepMilliseconds: Int64, picturePath: String?) {
        self.specifier = specifier
        self.stepMilliseconds = stepMilliseconds
        self.picturePath = picturePath
    }

    func run(for time: Interval) {
        let end = MonotonicClock.now() + time
        while MonotonicClock.now() < end {
            do throws(DeviceError) {
                try use(until: end)
            } catch {
                if error.description != lastError { ProbeText.print("error: \(error)") }
                lastError = error.description
                MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(250))
            }
        }
        ProbeText.print(
            "total opened=\(openCount) pictures=\(totals.pictureCount) missed=\(totals.missedCount)"
                + " written=\(totals.writtenPixels) cpu_s=\(ProbeText.hundredths(ProbeText.processorSeconds))")
    }

    private func use(until end: MonotonicTime) throws(DeviceError) {
        let display = try registry.openDisplay(specifier)
        defer {
            totals.pictureCount += display.figures.pictureCount
            totals.missedCount += display.figures.missedCount
            totals.writtenPixels += display.figures.writtenPixels
            display.close()
        }
        openCount += 1
        lastError = ""
        var card = try makeCard(for: display)
        try display.show(card.picture, at: MonotonicClock.now())
        ProbeText.print("shown \(display.size): \(display.figures.mode)")
        var nextStep = MonotonicClock.now()
        var nextLine = nextStep + .seconds(Int64(1))
        while MonotonicClock.now() < end {
            let now = MonotonicClock.now()
            if try display.look(at: now) {
                card = try makeCard(for: display)
                try display.show(card.picture, at: now)
                ProbeText.print("shown \(display.size): \(display.figures.mode)")
            }
            if stepMilliseconds > 0 && now >= nextStep {
                nextStep = now + .milliseconds(stepMilliseconds)
                try display.show(card.picture, changes: card.step(), at: now)
            }
            if now >= nextLine {
                nextLine = now + .seconds(Int64(1))
                let figures = display.figures
                ProbeText.print(
                    "pictures=\(figures.pictureCount) missed=\(figures.missedCount) written=\(figures.writtenPixels)")
            }
            MonotonicClock.sleep(until: min(end, stepMilliseconds > 0 ? nextStep : now + .milliseconds(100)))
        }
    }

    private func makeCard(for display: any DisplayDevice) throws(DeviceError) -> ColorCard {
        guard let picturePath else { return ColorCard(size: display.size) }
        do {
            let picture = Picture(size: display.size)
            PictureScaler.scale(try PNGReader.read(picturePath), into: picture)
            return ColorCard(picture: picture)
        } catch {
            throw .invalidFile(path: picturePath, reason: "\(error)")
        }
    }
}
