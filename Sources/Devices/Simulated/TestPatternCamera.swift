import MediaTypes

/// Camera `test-pattern[:variant=NUMBER][,size=WxH]`: a moving picture of the asked size and rate, with the frame counter.
final class TestPatternCamera: CameraDevice {
    let name: String
    let size: PictureSize
    let framesPerSecond: Double
    private let firstNumber: Int64
    private let painter: TestPatternPainter
    private var pacer: CameraPacer

    init(specifier: DeviceSpecifier, size: PictureSize, framesPerSecond: Int) throws(DeviceError) {
        name = specifier.text
        let options = try TestPatternOptions(specifier: specifier)
        let size = options.size ?? size
        guard (16...8_192).contains(size.width), (16...8_192).contains(size.height) else {
            throw .unsupported(name: name, reason: "\(size) is not a size between 16x16 and 8192x8192")
        }
        guard (1...240).contains(framesPerSecond) else {
            throw .unsupported(name: name, reason: "\(framesPerSecond) pictures a second; 1 to 240 are possible")
        }
        self.size = size
        self.framesPerSecond = Double(framesPerSecond)
        let palette = PatternPalette.variant(options.variant)
        firstNumber = palette.firstNumber
        painter = TestPatternPainter(size: size, framesPerSecond: Double(framesPerSecond), palette: palette)
        pacer = CameraPacer(rateNumerator: framesPerSecond, rateDenominator: 1)
    }

    var droppedPictureCount: Int { pacer.missedCount }

    /// `picture.number` counts from the opening, from the variant's first number on; its low 16 bits are the frame counter.
    func capture(into picture: Picture, timeoutMilliseconds: Int32) throws(DeviceError) -> Bool {
        guard let (count, time) = pacer.wait(timeoutMilliseconds: timeoutMilliseconds) else { return false }
        let number = firstNumber + count
        picture.resize(to: size)
        painter.paint(number, into: picture)
        picture.number = number
        picture.captureTime = time
        picture.timestamp = .ofCapture(at: time)
        return true
    }

    func close() {}
}
