import MediaTypes
import Testing

@testable import MediaEngine

@Suite struct AudioLoudnessTests {
    @Test func silenceIs127AndFullScaleIs0() {
        let silence = [Int16](repeating: 0, count: 480)
        let full = [Int16](repeating: .min, count: 480)
        #expect(silence.withUnsafeBufferPointer(AudioLoudness.decibelsBelowOverload) == 127)
        #expect(full.withUnsafeBufferPointer(AudioLoudness.decibelsBelowOverload) == 0)
    }

    @Test(arguments: [(Int16(16_384), UInt8(6)), (3_277, 20), (328, 40), (33, 60), (1, 90)])
    func aConstantOfKnownSizeHasItsDecibels(value: Int16, decibels: UInt8) {
        let samples = [Int16](repeating: value, count: 960)
        #expect(samples.withUnsafeBufferPointer(AudioLoudness.decibelsBelowOverload) == decibels)
    }
}
