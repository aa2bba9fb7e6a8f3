import MediaTypes

/// Camera `file:PATH.y4m`: plays the file in a loop at its own size and rate, whatever was asked.
final class FileCamera: CameraDevice {
    let name: String
    private let file: Y4MFile
    private var pacer: CameraPacer

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        file = try Y4MFile(path: specifier.argument)
        pacer = CameraPacer(
            rateNumerator: file.header.rateNumerator, rateDenominator: file.header.rateDenominator)
    }

    var size: PictureSize { file.header.size }
    var framesPerSecond: Double { file.header.framesPerSecond }
    var droppedPictureCount: Int { pacer.missedCount }

    /// `picture.number` is the index in the file, from 0; it starts again with each round.
    func capture(into picture: Picture, timeoutMilliseconds: Int32) throws(DeviceError) -> Bool {
        guard let (number, time) = pacer.wait(timeoutMilliseconds: timeoutMilliseconds) else { return false }
        let index = Int(number % Int64(file.pictureCount))
        try file.read(index, into: picture)
        picture.number = Int64(index)
        picture.captureTime = time
        picture.timestamp = .ofCapture(at: time)
        return true
    }

    func close() {}
}
