import Realtime
import Testing

@testable import Codecs

@Suite struct ResamplerTests {
    static let rates = [(8_000, 48_000), (16_000, 48_000), (44_100, 48_000), (48_000, 44_100), (48_000, 16_000)]

    /// Feeds pieces of changing length, as devices and files do.
    private func convert(_ input: [Int16], with resampler: Resampler) -> [Int16] {
        var output: [Int16] = []
        var start = 0
        var piece = 137
        while start < input.count {
            let end = min(input.count, start + piece)
            let converted = [Int16](unsafeUninitializedCapacity: 20_000) { buffer, count in
                buffer.initialize(repeating: 0)
                let result = input[start..<end].withUnsafeBufferPointer { resampler.process($0, into: buffer) }
                start += result.consumed
                count = result.produced
            }
            output += converted
            piece = piece * 7 % 1_931 + 1
        }
        return output
    }

    @Test(arguments: rates) func aToneStaysPureAndKeepsItsLevel(from: Int, to: Int) throws {
        let resampler = try Resampler(inputRateHz: from, outputRateHz: to)
        let output = convert(tone(hertz: 1_000, rateHz: from, amplitude: 16_000, count: from * 2), with: resampler)
        let settled = output[(to / 2)..<(to / 2 + to)]
        let decibels = purity(of: 1_000, in: settled, rateHz: to)
        #expect(decibels > 70, "\(decibels) dB")
        #expect(abs(level(of: settled) - 16_000 / 2.0.squareRoot()) < 120)
    }

    @Test(arguments: rates) func theLongRunCountIsExact(from: Int, to: Int) throws {
        let resampler = try Resampler(inputRateHz: from, outputRateHz: to)
        let seconds = 20
        let output = convert(tone(hertz: 300, rateHz: from, count: from * seconds), with: resampler)
        // What is missing is in the filter: less than 10 ms, however long it runs.
        let missing = to * seconds - output.count
        #expect(missing >= 0 && missing < to / 100, "\(missing)")
    }

    @Test func equalRatesCopy() throws {
        let resampler = try Resampler(inputRateHz: 48_000, outputRateHz: 48_000)
        let input = tone(hertz: 700, count: 5_000)
        #expect(convert(input, with: resampler) == input)
    }

    @Test func impossibleRatesAreRefused() {
        #expect(throws: CodecError.self) { try Resampler(inputRateHz: 0, outputRateHz: 48_000) }
        #expect(throws: CodecError.self) { try Resampler(inputRateHz: 48_000, outputRateHz: 1_000_000) }
    }

    @Test func aSmallOutputTakesOnlyAsMuchInputAsFits() throws {
        let resampler = try Resampler(inputRateHz: 16_000, outputRateHz: 48_000)
        let input = tone(hertz: 500, rateHz: 16_000, count: 16_000)
        var output: [Int16] = []
        var start = 0
        while start < input.count {
            output += [Int16](unsafeUninitializedCapacity: 480) { buffer, count in
                buffer.initialize(repeating: 0)
                let result = input[start...].withUnsafeBufferPointer { resampler.process($0, into: buffer) }
                start += result.consumed
                count = result.produced
            }
        }
        #expect(purity(of: 500, in: output[4_800..<40_000], rateHz: 48_000) > 70)
    }

    @Test(.enabled(if: AllocationCounter.isActive), arguments: rates)
    func processingAllocatesNothing(from: Int, to: Int) throws {
        let resampler = try Resampler(inputRateHz: from, outputRateHz: to)
        let input = tone(hertz: 500, rateHz: from, count: from / 100)
        let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960)
        defer { output.deallocate() }
        input.withUnsafeBufferPointer { input in
            func work() {
                for _ in 0..<50 { _ = resampler.process(input, into: output) }
            }
            work()
            #expect(AllocationCounter.count(in: work) == 0)
        }
    }
}
