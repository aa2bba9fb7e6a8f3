import Testing

@testable import Realtime

@Suite struct OwnAddressesTests {
    @Test func addressesThatReachNoFurtherThanTheirLinkAreLeftOut() {
        let all = ["fe80::1", "fd00::5", "127.0.0.1", "192.168.1.20", "10.0.0.2", "169.254.3.4", "::1", "10.0.0.2"]
        #expect(OwnAddresses.sorted(all) == ["10.0.0.2", "192.168.1.20", "fd00::5"])
    }
}
