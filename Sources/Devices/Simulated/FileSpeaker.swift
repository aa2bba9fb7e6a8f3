import MediaTypes

/// Speaker `file:PATH.wav`: keeps what would be heard, in real time; where nobody wrote in time there is silence.
final class FileSpeaker: AudioPlaybackDevice {
    let name: String
    private var file: WAVOutputFile
    private var pacer = PlaybackPacer()

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        file = try WAVOutputFile(path: specifier.argument)
        try file.updateHeader()
    }

    var interruptionCount: Int { pacer.interruptionCount }
    var delayFrames: Int { pacer.delayFrames }

    func write(_ period: UnsafeBufferPointer<Int16>) throws(DeviceError) {
        file.appendSilence(frames: pacer.wait() * AudioFormat.pipelinePeriodFrames)
        try file.append(period)
    }

    func close() {
        // The file is valid without this last header; a full disk has been reported by `write`.
        try? file.updateHeader()
    }
}
