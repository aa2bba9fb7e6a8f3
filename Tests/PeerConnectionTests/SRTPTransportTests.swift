import SDP
import Testing

@testable import PeerConnection

struct SRTPTransportTests {
    private static func pair(_ profile: SRTPProfile) throws -> (SRTPTransport, SRTPTransport) {
        let material = (0..<(2 * (profile.keyByteCount + profile.saltByteCount))).map { UInt8($0) }
        return (
            try SRTPTransport(keys: SRTPKeys(profile: profile, material: material, role: .client)),
            try SRTPTransport(keys: SRTPKeys(profile: profile, material: material, role: .server))
        )
    }

    private static func packet(sequence: UInt16, ssrc: UInt32 = 0x1122_3344) -> [UInt8] {
        var bytes: [UInt8] = [0x80, 96, UInt8(sequence >> 8), UInt8(sequence & 255), 0, 0, 0, 1]
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ssrc >> $0) }
        return bytes + (0..<100).map { UInt8($0) }
    }

    private static func protect(_ packet: [UInt8], by transport: SRTPTransport) -> [UInt8]? {
        var buffer = packet + [UInt8](repeating: 0, count: SRTPTransport.maximumTrailerByteCount)
        let count = buffer.withUnsafeMutableBytes { transport.protectRTP($0, count: packet.count) }
        return count.map { Array(buffer.prefix($0)) }
    }

    private static func open(_ packet: [UInt8], by transport: SRTPTransport) -> [UInt8]? {
        var buffer = packet
        let count = buffer.withUnsafeMutableBytes { transport.openRTP($0) }
        return count.map { Array(buffer.prefix($0)) }
    }

    @Test(arguments: SRTPProfile.allCases) func packetsOpenAtTheOtherEndAndNowhereElse(profile: SRTPProfile) throws {
        let (left, right) = try Self.pair(profile)
        for (from, to) in [(left, right), (right, left)] {
            let plain = Self.packet(sequence: 65_535)
            let protected = try #require(Self.protect(plain, by: from))
            #expect(protected.count == plain.count + (profile == .aeadAES128GCM ? 16 : 10))
            #expect(!protected.dropFirst(12).starts(with: plain.dropFirst(12).prefix(16)))
            #expect(Self.open(protected, by: to) == plain)
            #expect(Self.open(protected, by: from) == nil)
        }
    }

    @Test(arguments: SRTPProfile.allCases) func repeatedAndDamagedPacketsAreCounted(profile: SRTPProfile) throws {
        let (left, right) = try Self.pair(profile)
        let protected = try #require(Self.protect(Self.packet(sequence: 1), by: left))
        #expect(Self.open(protected, by: right) != nil)
        #expect(Self.open(protected, by: right) == nil)
        #expect(right.counters.replays == 1)
        var damaged = try #require(Self.protect(Self.packet(sequence: 2), by: left))
        damaged[20] ^= 1
        #expect(Self.open(damaged, by: right) == nil)
        #expect(right.counters.authenticationFailures == 1)
        #expect(Self.open([0x80, 96, 0], by: right) == nil)
        #expect(Self.open([], by: right) == nil)
        #expect(right.counters.others == 2)
    }

    @Test(arguments: SRTPProfile.allCases) func aPacketFromBehindStillOpensWithinTheWindow(profile: SRTPProfile) throws
    {
        let (left, right) = try Self.pair(profile)
        let early = try #require(Self.protect(Self.packet(sequence: 65_000), by: left))
        for step in 1...1_000 {
            let packet = Self.packet(sequence: 65_000 &+ UInt16(step))
            #expect(Self.open(try #require(Self.protect(packet, by: left)), by: right) == packet)
        }
        #expect(Self.open(early, by: right) == Self.packet(sequence: 65_000))
    }

    @Test func aPacketMayBeSentAgain() throws {
        let (left, _) = try Self.pair(.aeadAES128GCM)
        let first = Self.protect(Self.packet(sequence: 9), by: left)
        #expect(first != nil)
        #expect(Self.protect(Self.packet(sequence: 9), by: left) == first)
    }

    @Test(arguments: SRTPProfile.allCases) func reportsArriveToo(profile: SRTPProfile) throws {
        let (left, right) = try Self.pair(profile)
        let report: [UInt8] = [0x80, 201, 0, 1, 0x11, 0x22, 0x33, 0x44]
        var buffer = report + [UInt8](repeating: 0, count: SRTPTransport.maximumTrailerByteCount)
        let count = try #require(buffer.withUnsafeMutableBytes { left.protectRTCP($0, count: report.count) })
        var received = Array(buffer.prefix(count))
        let opened = received.withUnsafeMutableBytes { right.openRTCP($0) }
        #expect(opened == report.count)
        #expect(Array(received.prefix(report.count)) == report)
    }

    @Test func aPacketWithoutRoomForTheTagIsRefused() throws {
        let (left, _) = try Self.pair(.aeadAES128GCM)
        var packet = Self.packet(sequence: 1)
        let count = packet.count
        #expect(packet.withUnsafeMutableBytes { left.protectRTP($0, count: count) } == nil)
        #expect(left.counters.others == 1)
    }
}
