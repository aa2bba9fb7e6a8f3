import MediaTypes
import Testing

@testable import MediaEngine

@Suite struct AudioMixerTests {
    func mixed(_ mixer: inout AudioMixer, _ value: Int32) -> [Int16] {
        mixer.clear()
        for i in 0..<mixer.sum.count { mixer.sum[i] = i % 2 == 0 ? value : -value }
        var output = [Int16](repeating: 0, count: AudioFormat.pipelinePeriodFrames)
        output.withUnsafeMutableBufferPointer { mixer.finish(into: $0) }
        return output
    }

    @Test func aQuietSumPassesUnchanged() {
        var mixer = AudioMixer()
        #expect(mixed(&mixer, 12_345)[0] == 12_345)
        #expect(mixed(&mixer, 32_767)[0] == 32_767)
    }

    @Test func aSumThatIsTooLoudIsScaledAndNeverClipped() {
        var mixer = AudioMixer()
        let output = mixed(&mixer, 65_534)
        #expect(output.allSatisfy { abs(Int($0)) <= 32_767 })
        // Clipping would give ±32767 as well, but so would a flat top: a smaller sample must shrink, too.
        mixer.clear()
        for i in 0..<mixer.sum.count { mixer.sum[i] = i == 0 ? 65_534 : 10_000 }
        var second = [Int16](repeating: 0, count: AudioFormat.pipelinePeriodFrames)
        second.withUnsafeMutableBufferPointer { mixer.finish(into: $0) }
        #expect((4_900...5_100).contains(second[1]))
    }

    @Test func theGainComesBackWithinASecond() {
        var mixer = AudioMixer()
        _ = mixed(&mixer, 65_534)
        var last: Int16 = 0
        for _ in 0..<300 { last = mixed(&mixer, 10_000)[0] }
        #expect(last > 9_900)
        for _ in 0..<200 { last = mixed(&mixer, 10_000)[0] }
        #expect(last == 10_000)
    }
}
