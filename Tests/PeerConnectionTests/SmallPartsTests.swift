import Testing

@testable import PeerConnection

struct SmallPartsTests {
    private static func kind(_ first: UInt8, _ second: UInt8 = 0) -> DatagramKind? {
        [first, second].withUnsafeBytes { DatagramKind($0) }
    }

    @Test func datagramsAreToldApartByTheirFirstBytes() {
        #expect(Self.kind(0) == nil)
        #expect(Self.kind(3) == nil)
        #expect(Self.kind(19) == nil)
        #expect(Self.kind(20) == .dtls)
        #expect(Self.kind(63) == .dtls)
        #expect(Self.kind(64) == nil)
        #expect(Self.kind(127) == nil)
        #expect(Self.kind(128, 96) == .rtp)
        #expect(Self.kind(191, 191) == .rtp)
        #expect(Self.kind(128, 192) == .rtcp)
        #expect(Self.kind(143, 223) == .rtcp)
        #expect(Self.kind(144, 224) == .rtp)
        #expect(Self.kind(192) == nil)
        #expect([UInt8]([128]).withUnsafeBytes { DatagramKind($0) } == nil)
        #expect([UInt8]().withUnsafeBytes { DatagramKind($0) } == nil)
    }

    @Test func aFewDatagramsAreHeldInOrder() {
        var held = HeldDatagrams()
        for number in 0..<20 {
            let isHeld = [UInt8(number)].withUnsafeBytes { held.hold($0) }
            #expect(isHeld == (number < 16))
        }
        let isHeld = [UInt8](repeating: 0, count: 2_000).withUnsafeBytes { held.hold($0) }
        #expect(!isHeld)
        #expect(held.takeAll() == (0..<16).map { [UInt8($0)] })
        #expect(held.takeAll().isEmpty)
    }

    @Test func serversAreReadFromTheirAddresses() {
        #expect(ICEServer(url: "stun:example.org") == ICEServer(kind: .stun, host: "example.org"))
        #expect(ICEServer(url: "STUN:10.0.0.1:99") == ICEServer(kind: .stun, host: "10.0.0.1", port: 99))
        #expect(
            ICEServer(url: "turn:[fd00::1]:5000?transport=tcp", user: "u", password: "p")
                == ICEServer(kind: .relayTCP, host: "fd00::1", port: 5_000, user: "u", password: "p"))
        #expect(
            ICEServer(url: "turn:relay", user: "u", password: "p")
                == ICEServer(kind: .relayUDP, host: "relay", user: "u", password: "p"))
        for bad in [
            "", "stun", "stun:", "stun:h:0", "stun:h:x", "http://h", "turns:h", "stun:[::1", "stun:h?transport=tcp",
            "turn:h",
        ] {
            #expect(ICEServer(url: bad) == nil, "\(bad)")
        }
    }

    @Test func theMachineAlwaysHasAnAddress() {
        #expect(!InterfaceRules().localAddresses().isEmpty)
        #expect(InterfaceRules(includedNames: ["no-such-interface"]).localAddresses().contains("127.0.0.1"))
        #expect(InterfaceRules(fixedAddresses: ["127.0.0.9"]).localAddresses() == ["127.0.0.9"])
    }
}
