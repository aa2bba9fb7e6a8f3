import MediaTypes

/// Speaker `discard`: swallows everything at the pace of a real one.
final class DiscardSpeaker: AudioPlaybackDevice {
    let name: String
    private var pacer = PlaybackPacer()

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        guard specifier.argument.isEmpty else {
            throw .unsupported(name: name, reason: "the discarding speaker has no options")
        }
    }

    var interruptionCount: Int { pacer.interruptionCount }
    var delayFrames: Int { pacer.delayFrames }

    func write(_ period: UnsafeBufferPointer<Int16>) throws(DeviceError) {
        _ = pacer.wait()
    }

    func close() {}
}
