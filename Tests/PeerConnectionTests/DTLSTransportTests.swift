import MediaTypes
import SDP
import Testing

@testable import PeerConnection

struct DTLSTransportTests {
    @Test func bothSidesGetTheSameKeysForOppositeDirections() throws {
        let pair = try DTLSPair()
        pair.start()
        pair.runUntilSettled()
        #expect(pair.client.state == .connected)
        #expect(pair.server.state == .connected)
        let client = try #require(pair.client.srtpKeys)
        let server = try #require(pair.server.srtpKeys)
        #expect(client.profile == .aeadAES128GCM)
        #expect(client.local == server.remote)
        #expect(client.remote == server.local)
        #expect(client.local != client.remote)
        #expect(client.local.count == 28)
        #expect(pair.largestDatagram <= DTLSTransport.mtu)
    }

    @Test func theBestCommonProfileIsTaken() throws {
        let pair = try DTLSPair(clientProfiles: [.aes128CMSHA1])
        pair.start()
        pair.runUntilSettled()
        #expect(pair.client.srtpKeys?.profile == .aes128CMSHA1)
        #expect(pair.server.srtpKeys?.profile == .aes128CMSHA1)
        #expect(pair.server.srtpKeys?.local.count == 30)
    }

    @Test(arguments: [1, 2, 3, 4, 5]) func theHandshakeSurvivesTheLossOfADatagram(number: Int) throws {
        let pair = try DTLSPair()
        pair.lost = [number]
        pair.start()
        pair.runUntilSettled()
        // A lost last flight is only noticed by the side that waits for it.
        #expect(pair.client.state == .connected)
        #expect(pair.server.state == .connected)
    }

    @Test func aServerWithAnotherCertificateIsRefused() throws {
        let pair = try DTLSPair(announcedToClient: [try DTLSCertificate().fingerprint])
        pair.start()
        pair.runUntilSettled()
        #expect(pair.client.state == .failed("the far side's certificate is not the announced one"))
        #expect(pair.client.srtpKeys == nil)
        #expect(pair.server.srtpKeys == nil)
    }

    @Test func aClientWithAnotherCertificateIsRefused() throws {
        let pair = try DTLSPair(announcedToServer: [try DTLSCertificate().fingerprint])
        pair.start()
        pair.runUntilSettled()
        #expect(pair.server.state == .failed("the far side's certificate is not the announced one"))
        #expect(pair.server.srtpKeys == nil)
    }

    @Test func dataGoesBothWaysAndEndsWithCloseNotify() throws {
        let pair = try DTLSPair()
        pair.start()
        pair.runUntilSettled()
        let message = [UInt8](repeating: 7, count: 1_100)
        #expect(message.withUnsafeBytes { pair.client.sendApplicationData($0) })
        #expect(message.withUnsafeBytes { pair.server.sendApplicationData($0) })
        pair.exchange()
        #expect(pair.atServer == [message])
        #expect(pair.atClient == [message])
        #expect(pair.largestDatagram <= DTLSTransport.mtu)
        pair.client.close()
        pair.exchange()
        #expect(pair.server.state == .closed)
        #expect(pair.server.isClosedByPeer)
        #expect(!pair.client.isClosedByPeer)
        #expect(!message.withUnsafeBytes { pair.server.sendApplicationData($0) })
    }

    @Test func noiseChangesNothing() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let pair = try DTLSPair()
        for phase in 0..<2 {
            for _ in 0..<200 {
                let count = Int(random.next() % 300)
                var noise = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                if count > 0 { noise[0] = 20 + UInt8(random.next() % 44) }
                noise.withUnsafeBytes { pair.server.receive($0, at: pair.now) }
                noise.withUnsafeBytes { pair.client.receive($0, at: pair.now) }
            }
            if phase == 0 {
                pair.start()
                pair.runUntilSettled()
            }
            pair.exchange()
            #expect(pair.client.state == .connected, "seed \(seed)")
            #expect(pair.server.state == .connected, "seed \(seed)")
        }
    }

    @Test func aCertificateIsKnownByItsSHA256AndNotReused() throws {
        let first = try DTLSCertificate()
        let second = try DTLSCertificate()
        #expect(first.fingerprint.algorithm == .sha256)
        #expect(first.fingerprint.value.count == 95)
        #expect(first.fingerprint != second.fingerprint)
    }
}
