import Testing

@testable import Devices

@Suite struct SampleFormatTests {
    @Test(arguments: SampleFormat.allCases) func everySampleSurvives(format: SampleFormat) {
        withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { bytes in
            guard let address = bytes.baseAddress else { return }
            for sample in Int16.min...Int16.max {
                format.store(sample, to: address + 1)
                guard format.load(address + 1) == sample else {
                    Issue.record("\(format): \(sample) becomes \(format.load(address + 1))")
                    return
                }
            }
        }
    }

    @Test func floatsOutOfRangeAreClipped() {
        for (value, sample) in [
            (1, Int16.max), (-1, .min), (7, .max), (-7, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0),
            (0.25, 8_192),
        ] as [(Float, Int16)] {
            withUnsafeBytes(of: value) { bytes in
                #expect(bytes.baseAddress.map { SampleFormat.float32.load($0) } == sample)
            }
        }
    }

    @Test func aDeviceOfManyChannelsIsHeardByItsFirst() throws {
        let buffer = try CapturePeriodBuffer(sampleRateHz: 48_000, channelCount: 4, format: .int16, nativeCapacity: 480)
        let native = buffer.native.bindMemory(to: Int16.self)
        for index in 0..<480 { native[4 * index] = Int16(index) }
        buffer.accept(480)
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        buffer.take(into: period)
        #expect(Array(period) == (0..<480).map { Int16($0) })
    }
}
