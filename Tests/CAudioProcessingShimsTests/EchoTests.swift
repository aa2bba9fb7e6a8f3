import CAudioProcessingShims
import Testing

/// Both generations of the library, whichever this Debian has, behind the same few functions.
@Suite struct EchoTests {
    private static let period = Int(CCB_AUDIO_PROCESSING_SAMPLES)

    /// Noise like speech: bursts of half a second with pauses, the same for the same seed.
    private static func voice(count: Int, seed: UInt64) -> [Int16] {
        var state = seed
        var smooth = 0.0
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let noise = Double(Int64(bitPattern: state) >> 40) / Double(1 << 23)
            smooth = 0.7 * smooth + 0.3 * noise
            let isLoud = (index / 24_000) % 3 != 2
            return Int16(max(-1, min(1, smooth * (isLoud ? 1.2 : 0.02))) * 12_000)
        }
    }

    private static func energy(_ samples: ArraySlice<Int16>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
    }

    /// Plays a far end into the microphone with this delay and loudness, and this voice of the near end beside it.
    private static func cleaned(
        far: [Int16], near: [Int16], delayMilliseconds: Int, loudness: Double
    ) throws -> (heard: [Int16], cleaned: [Int16]) {
        var processor: OpaquePointer?
        #expect(ccb_audio_processor_create(0, &processor) == 0)
        let made = try #require(processor)
        defer { ccb_audio_processor_destroy(made) }
        let delay = delayMilliseconds * 48
        let heard = far.indices.map { index in
            let echo = index >= delay ? Double(far[index - delay]) * loudness : 0
            return Int16(max(-32_768, min(32_767, echo + Double(near[index]))))
        }
        var result = heard
        for start in stride(from: 0, through: far.count - period, by: period) {
            var speaker = Array(far[start..<start + period])
            var microphone = Array(heard[start..<start + period])
            #expect(ccb_audio_processor_far_end(made, &speaker) == 0)
            #expect(ccb_audio_processor_near_end(made, Int32(delayMilliseconds), &microphone) == 0)
            result.replaceSubrange(start..<start + period, with: microphone)
        }
        return (heard, result)
    }

    @Test func theGenerationIsKnown() {
        #expect([0, 1].contains(ccb_audio_processing_generation()))
    }

    @Test func echoIsTakenAway() throws {
        let count = 48_000 * 10
        let far = EchoTests.voice(count: count, seed: 7)
        let near = [Int16](repeating: 0, count: count)
        let (heard, cleaned) = try EchoTests.cleaned(far: far, near: near, delayMilliseconds: 40, loudness: 0.5)
        // The canceller may learn for half of the time.
        let reduction = EchoTests.energy(heard[(count / 2)...]) / max(1e-9, EchoTests.energy(cleaned[(count / 2)...]))
        #expect(reduction > 100, "the echo is only \(reduction) times weaker")
    }

    @Test func aVoiceWithoutEchoStays() throws {
        let count = 48_000 * 6
        let near = EchoTests.voice(count: count, seed: 11)
        let far = [Int16](repeating: 0, count: count)
        let (heard, cleaned) = try EchoTests.cleaned(far: far, near: near, delayMilliseconds: 40, loudness: 0.5)
        let kept = EchoTests.energy(cleaned[(count / 2)...]) / EchoTests.energy(heard[(count / 2)...])
        #expect(kept > 0.5, "only \(kept) of the voice is left")
    }

    @Test func aDelayOutOfRangeIsNoError() throws {
        var processor: OpaquePointer?
        #expect(ccb_audio_processor_create(1, &processor) == 0)
        let made = try #require(processor)
        defer { ccb_audio_processor_destroy(made) }
        var samples = [Int16](repeating: 0, count: EchoTests.period)
        for delay: Int32 in [-5, 0, 10_000] { #expect(ccb_audio_processor_near_end(made, delay, &samples) == 0) }
    }
}
