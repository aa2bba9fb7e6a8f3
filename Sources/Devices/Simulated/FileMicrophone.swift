import Codecs
import MediaTypes

/// Microphone `file:PATH.wav`: plays a 16-bit PCM file of any rate and number of channels in a loop.
final class FileMicrophone: AudioCaptureDevice {
    let name: String
    private let file: InputFile
    private let header: WAVHeader
    private let buffer: CapturePeriodBuffer
    private var nextFrame = 0
    private var pacer = CapturePacer()

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        let file = try InputFile(path: specifier.argument)
        let header = try FileMicrophone.header(of: file)
        do {
            buffer = try CapturePeriodBuffer(
                sampleRateHz: header.format.sampleRateHz, channelCount: header.format.channelCount, format: .int16,
                nativeCapacity: max(1, header.format.sampleRateHz / 100))
        } catch {
            throw .invalidFile(path: file.path, reason: "its rate of \(header.format.sampleRateHz) Hz is not possible")
        }
        self.file = file
        self.header = header
    }

    var interruptionCount: Int { pacer.interruptionCount }

    func read(into period: UnsafeMutableBufferPointer<Int16>) throws(DeviceError) -> MonotonicTime {
        let time = pacer.wait()
        while buffer.count < AudioFormat.pipelinePeriodFrames {
            let frames = min(buffer.nativeCapacity, header.frameCount - nextFrame)
            let frameBytes = 2 * header.format.channelCount
            let count = try file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer.native[..<(frames * frameBytes)]),
                at: header.dataOffset + nextFrame * frameBytes)
            guard count == frames * frameBytes else {
                throw .invalidFile(path: file.path, reason: "has become shorter while it was played")
            }
            buffer.accept(frames)
            nextFrame = nextFrame + frames == header.frameCount ? 0 : nextFrame + frames
        }
        buffer.take(into: period)
        return time
    }

    func close() {}

    private static func header(of file: borrowing InputFile) throws(DeviceError) -> WAVHeader {
        let prefix = UnsafeMutableRawBufferPointer.allocate(byteCount: WAVHeader.prefixByteCount, alignment: 8)
        defer { prefix.deallocate() }
        let count = try file.read(into: prefix, at: 0)
        do {
            return try WAVHeader(
                parsing: UnsafeRawBufferPointer(rebasing: prefix[..<count]), fileByteCount: file.byteCount)
        } catch {
            throw .invalidFile(path: file.path, reason: error.reason)
        }
    }
}
