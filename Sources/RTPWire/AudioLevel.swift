/// How loud the audio of one packet is (RFC 6464).
package struct AudioLevel: Hashable, Sendable, BitwiseCopyable {
    /// −dBov: 0 is the loudest, 127 is silence.
    package var minusDBov: UInt8
    package var hasVoice: Bool

    package init(minusDBov: UInt8, hasVoice: Bool) {
        self.minusDBov = min(minusDBov, 127)
        self.hasVoice = hasVoice
    }
}
