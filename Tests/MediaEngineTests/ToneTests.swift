import Devices
import Glibc
import MediaTypes
import Testing

@testable import MediaEngine

@Suite struct ToneTests {
    /// What a tone sounds like for a while, in periods as the playing thread asks for them.
    static func sound(_ seconds: Double, _ wanted: (Int) -> (Tone, isNew: Bool)) -> [Int32] {
        var generator = ToneGenerator()
        let sum = UnsafeMutableBufferPointer<Int32>.allocate(capacity: AudioFormat.pipelinePeriodFrames)
        defer { sum.deallocate() }
        var all: [Int32] = []
        for period in 0..<Int(seconds * 100) {
            sum.initialize(repeating: 0)
            let (tone, isNew) = wanted(period)
            generator.mix(into: sum, wanted: tone, isNew: isNew, gain: 1)
            all += sum
        }
        return all
    }

    static func sound(of tone: Tone, seconds: Double) -> [Int32] {
        sound(seconds) { (tone, $0 == 0) }
    }

    /// Energy of a part at one frequency, of all its energy (Goertzel).
    static func share(of samples: ArraySlice<Int32>, atHz frequency: Double) -> Double {
        let angle = 2 * Double.pi * frequency / 48_000
        var (cosine, sine, energy) = (0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            cosine += Double(sample) * cos(angle * Double(index))
            sine += Double(sample) * sin(angle * Double(index))
            energy += Double(sample) * Double(sample)
        }
        return energy == 0 ? 0 : 2 * (cosine * cosine + sine * sine) / (Double(samples.count) * energy)
    }

    /// Where it sounds, in milliseconds, to 10 ms.
    static func soundingRanges(_ samples: [Int32]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for period in 0..<samples.count / 480 {
            let isSounding = samples[period * 480..<(period + 1) * 480].contains { abs($0) > 300 }
            guard isSounding else { continue }
            if let last = ranges.last, last.upperBound == period * 10 {
                ranges[ranges.count - 1] = last.lowerBound..<period * 10 + 10
            } else {
                ranges.append(period * 10..<period * 10 + 10)
            }
        }
        return ranges
    }

    @Test func theRingBackToneIs425HertzOneSecondInFive() {
        let samples = ToneTests.sound(of: .ringBack, seconds: 11)
        #expect(ToneTests.soundingRanges(samples) == [0..<1_000, 5_000..<6_000, 10_000..<11_000])
        #expect(ToneTests.share(of: samples[4_800..<43_200], atHz: 425) > 0.99)
    }

    @Test func theBusyToneSoundsThreeTimesAndEnds() {
        let samples = ToneTests.sound(of: .busy, seconds: 6)
        #expect(ToneTests.soundingRanges(samples) == [0..<500, 1_000..<1_500, 2_000..<2_500])
        #expect(ToneTests.share(of: samples[2_400..<21_600], atHz: 425) > 0.99)
    }

    @Test func theRingIsABellOfTwoNotesAndGoesOn() {
        let samples = ToneTests.sound(of: .ring, seconds: 9)
        let ranges = ToneTests.soundingRanges(samples)
        #expect(ranges.count == 3)
        #expect(ranges.map(\.lowerBound) == [0, 4_000, 8_000])
        #expect(ranges.first.map { $0.upperBound < 3_000 } == true)
        // Each note with its overtones is most of what sounds then.
        for (start, note) in [(0, 659.26), (600, 523.25)] {
            let part = samples[start * 48 + 2_400..<start * 48 + 26_400]
            #expect(ToneTests.share(of: part, atHz: note) > 0.6)
            #expect(ToneTests.share(of: part, atHz: 2 * note) > 0.03)
        }
    }

    @Test(arguments: [Tone.ring, .ringBack, .busy, .ended])
    func noToneClicksNorDoesCuttingItOff(tone: Tone) {
        // Asked for anew, changed and ended at odd times.
        let samples = ToneTests.sound(7) { period in
            switch period {
            case 0: (tone, true)
            case 37: (.ringBack, true)
            case 61: (tone, true)
            case 93: (tone, true)
            case 330...: (.none, period == 330)
            case 37..<61: (.ringBack, false)
            default: (tone, false)
            }
        }
        var steepest: Int32 = 0
        for index in samples.indices.dropFirst() { steepest = max(steepest, abs(samples[index] - samples[index - 1])) }
        // A sine of 660 Hz at 0.45 with overtones rises by 1,700 a frame; a click at its peak would be a step of 10,000.
        print("\(tone): steepest step \(steepest)")
        #expect(steepest < 2_500)
        #expect(samples[(331 * 480)...].allSatisfy { $0 == 0 })
        #expect(samples.contains { abs($0) > 5_000 })
    }

    @Test func volumeIsACubeAndEndsAtSilence() {
        #expect(Volume.gain(percent: 100) == 1 && Volume.gain(percent: 0) == 0)
        #expect(Volume.gain(percent: 50) == 0.125)
        #expect(Volume.gain(percent: 180) == 1 && Volume.gain(percent: -3) == 0)
        for percent in 1...100 { #expect(Volume.gain(percent: percent) > Volume.gain(percent: percent - 1)) }
    }

    @Test func aChangedVolumeIsReachedWithoutAStep() {
        var mixer = AudioMixer()
        var output = [Int16](repeating: 0, count: AudioFormat.pipelinePeriodFrames)
        var all: [Int16] = []
        for volume in [1, 1, 0.125, 0.125, 0, 0, 1, 1] as [Float] {
            mixer.clear()
            for index in 0..<mixer.sum.count { mixer.sum[index] = 16_000 }
            mixer.scale(to: volume)
            output.withUnsafeMutableBufferPointer { mixer.finish(into: $0) }
            all += output
        }
        for index in all.indices.dropFirst() { #expect(abs(Int(all[index]) - Int(all[index - 1])) < 40) }
        #expect(all[480 + 7] == 16_000 && all[3 * 480 + 7] == 2_000 && all[5 * 480 + 7] == 0)
        #expect(all[7 * 480 + 7] == 16_000)
    }
}
