import Glibc
import MediaTypes
import Realtime
import Testing

@testable import Codecs

@Suite struct OpusTests {
    /// Encodes whole periods; an empty packet is one that need not be sent.
    private func encode(_ samples: [Int16], with encoder: OpusEncoder) throws -> [[UInt8]] {
        try stride(from: 0, to: samples.count - 959, by: 960).map { start in
            try samples[start..<start + 960].withUnsafeBufferPointer { period in
                try withUnsafeTemporaryAllocation(byteCount: 1_275, alignment: 8) { packet in
                    let count = try encoder.encode(period, into: packet)
                    return Array(packet[0..<count])
                }
            }
        }
    }

    private func samples(room: Int = 960, _ body: (UnsafeMutableBufferPointer<Int16>) -> Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: room) { buffer, count in
            buffer.initialize(repeating: 0)
            count = body(buffer)
        }
    }

    private func decode(_ packet: [UInt8], with decoder: OpusDecoder, room: Int = 960) -> [Int16] {
        samples(room: room) { buffer in packet.withUnsafeBytes { decoder.decode($0, into: buffer) } }
    }

    @Test(arguments: [440.0, 1_000.0, 3_000.0]) func aToneComesBackAtItsFrequencyAndLevel(hertz: Double) throws {
        let encoder = try OpusEncoder(bitrate: .kilobitsPerSecond(40))
        let decoder = try OpusDecoder()
        let input = tone(hertz: hertz, count: 48_000)
        var output: [Int16] = []
        for packet in try encode(input, with: encoder) { output += decode(packet, with: decoder) }
        #expect(output.count == 48_000)
        let settled = output[24_000...]
        #expect(abs(amplitude(of: hertz, in: settled) - 8_000) < 1_200)
        #expect(amplitude(of: hertz * 1.3, in: settled) < 400)
        #expect((100...1_000).contains(encoder.lookaheadFrames))
    }

    @Test func theBitrateIsFollowedAndCanChangeWhileRunning() throws {
        let encoder = try OpusEncoder(bitrate: .kilobitsPerSecond(24))
        let speech = syntheticSpeech(seconds: 4)
        let low = try encode(speech, with: encoder).reduce(0) { $0 + $1.count } * 2
        encoder.setBitrate(.kilobitsPerSecond(64))
        let high = try encode(speech, with: encoder).reduce(0) { $0 + $1.count } * 2
        #expect((8_000...32_000).contains(low))
        #expect(high > low * 3 / 2)
    }

    @Test func aLostPacketIsRecoveredBetterByFECThanByConcealment() throws {
        let speech = syntheticSpeech(seconds: 8)
        let encoder = try OpusEncoder(bitrate: .kilobitsPerSecond(32), usesFEC: true, expectedLossPercent: 20)
        let packets = try encode(speech, with: encoder)
        let reference = try OpusDecoder()
        let recovering = try OpusDecoder()
        let concealing = try OpusDecoder()
        var (fecError, plcError) = (0.0, 0.0)
        for index in packets.indices {
            let truth = decode(packets[index], with: reference)
            var recovered: [Int16]
            var concealed: [Int16]
            if index % 5 == 3, index + 1 < packets.count {
                recovered = samples { buffer in
                    packets[index + 1].withUnsafeBytes { recovering.decodeFEC($0, frames: 960, into: buffer) }
                }
                concealed = samples { concealing.conceal(frames: 960, into: $0) }
                #expect(recovered.count == 960 && concealed.count == 960)
                for sample in 0..<960 {
                    fecError += pow(Double(recovered[sample]) - Double(truth[sample]), 2)
                    plcError += pow(Double(concealed[sample]) - Double(truth[sample]), 2)
                }
            } else {
                recovered = decode(packets[index], with: recovering)
                concealed = decode(packets[index], with: concealing)
            }
        }
        print("error power: FEC \(fecError), concealment \(plcError)")
        #expect(fecError < plcError * 0.6)
    }

    @Test func silenceWithDTXSendsFewPackets() throws {
        let encoder = try OpusEncoder(usesDTX: true)
        let speech = try encode(syntheticSpeech(seconds: 1), with: encoder).filter { !$0.isEmpty }.count
        let silence = try encode([Int16](repeating: 0, count: 48_000 * 4), with: encoder)
        let sent = silence.filter { !$0.isEmpty }.count
        #expect(speech > 20)
        #expect(sent < silence.count / 3)
        encoder.setUsesDTX(false)
        let always = try encode([Int16](repeating: 0, count: 48_000), with: encoder).filter { !$0.isEmpty }.count
        #expect(always == 50)
    }

    @Test func aStereoPacketOfAnotherSenderDecodesToMono() throws {
        let packets = try StereoOpus.encode(left: tone(hertz: 500, count: 9_600), right: tone(hertz: 500, count: 9_600))
        let decoder = try OpusDecoder()
        var output: [Int16] = []
        for packet in packets { output += decode(packet, with: decoder) }
        #expect(output.count == 9_600)
        #expect(abs(amplitude(of: 500, in: output[4_800...]) - 8_000) < 1_000)
    }

    @Test(.timeLimit(.minutes(5))) func hostilePacketsNeverCrash() throws {
        let seed = SeededRandom.newSeed()
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let decoder = try OpusDecoder()
        let real = try encode(syntheticSpeech(seconds: 1), with: OpusEncoder())
        for round in 0..<4_000 {
            var packet: [UInt8]
            switch round % 3 {
            case 0:
                packet = (0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            case 1:
                packet = Array(real[round % real.count].prefix(Int.random(in: 0...80, using: &random)))
            default:
                packet = real[round % real.count]
                for _ in 0..<4 where !packet.isEmpty {
                    packet[Int.random(in: packet.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            let count = decode(packet, with: decoder, room: OpusDecoder.maximumFrames).count
            #expect(count <= OpusDecoder.maximumFrames)
            if round % 7 == 0 {
                let recovered = samples { buffer in
                    packet.withUnsafeBytes { decoder.decodeFEC($0, frames: 960, into: buffer) }
                }
                #expect(recovered.count <= 960)
            }
        }
        #expect(decoder.malformedCount > 0)
        decoder.reset()
        #expect(decode(real[10], with: decoder).count == 960)
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func encodingAndDecodingAllocateNothing() throws {
        let encoder = try OpusEncoder(usesFEC: true, usesDTX: true)
        let decoder = try OpusDecoder()
        let speech = syntheticSpeech(seconds: 2)
        let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_275, alignment: 8)
        let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960)
        defer {
            packet.deallocate()
            output.deallocate()
        }
        try speech.withUnsafeBufferPointer { speech in
            func work() throws(CodecError) {
                for period in 0..<100 {
                    let samples = UnsafeBufferPointer(rebasing: speech[period * 960..<period * 960 + 960])
                    let count = try encoder.encode(samples, into: packet)
                    let bytes = UnsafeRawBufferPointer(rebasing: packet[0..<count])
                    if period % 10 == 3 {
                        decoder.conceal(frames: 960, into: output)
                    } else if count > 0 {
                        if period % 10 == 4 { _ = decoder.decodeFEC(bytes, frames: 960, into: output) }
                        _ = decoder.decode(bytes, into: output)
                    }
                    encoder.setBitrate(.kilobitsPerSecond(24 + period % 8))
                    encoder.setExpectedLoss(percent: period % 20)
                }
            }
            try work()
            #expect(try AllocationCounter.count(in: work) == 0)
        }
    }
}
