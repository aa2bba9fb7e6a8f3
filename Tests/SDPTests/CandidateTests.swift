import SDP
import Testing

@Test(arguments: [
    "candidate:1 1 udp 2015363327 192.0.2.2 20869 typ host",
    "candidate:842163049 1 udp 1677729535 192.0.2.9 46154 typ srflx raddr 0.0.0.0 rport 0",
    "candidate:3 1 udp 41885439 2001:db8::7 50000 typ relay raddr 192.0.2.9 rport 46154 ufrag Dftr",
    "candidate:3636622957 1 tcp 1518280447 192.0.2.1 9 typ host tcptype active",
    "candidate:1 1 udp 2113937151 3cbe9b3d-0c2b-4b4a-8f0e-a3b8b7a3f0a1.local 51472 typ host",
])
func aCandidateIsWrittenAsItWasRead(text: String) throws {
    let candidate = try #require(ICECandidate(parsing: text))
    #expect(candidate.text == text)
    #expect(ICECandidate(parsing: "a=\(text)\r\n") == candidate)
    #expect(ICECandidate(parsing: String(text.dropFirst(10))) == candidate)
}

@Test func aCandidateOfABrowserKeepsWhatMattersAndLosesTheRest() throws {
    let text =
        "candidate:2791068512 1 UDP 2122260223 192.0.2.1 50880 typ host generation 0 ufrag TljF network-id 1 network-cost 50"
    let candidate = try #require(ICECandidate(parsing: text))
    #expect(candidate.transport == .udp)
    #expect(candidate.usernameFragment == "TljF")
    #expect(candidate.text == "candidate:2791068512 1 udp 2122260223 192.0.2.1 50880 typ host ufrag TljF")
}

@Test func onlyMulticastNamesCountAsHiddenAddresses() throws {
    let hidden = try #require(ICECandidate(parsing: "candidate:1 1 udp 1 x.local 5 typ host"))
    #expect(hidden.isMulticastDNSName)
    let named = try #require(ICECandidate(parsing: "candidate:1 1 udp 1 turn.example 5 typ relay"))
    #expect(!named.isMulticastDNSName)
}

@Test(arguments: [
    "", "candidate:", "candidate:1", "candidate:1 1 udp 5 192.0.2.1 99999 typ host",
    "candidate:1 0 udp 5 192.0.2.1 9 typ host", "candidate:1 1 sctp 5 192.0.2.1 9 typ host",
    "candidate:1 1 udp -5 192.0.2.1 9 typ host", "candidate:1 1 udp 4294967296 192.0.2.1 9 typ host",
    "candidate:1 1 udp 5 192.0.2.1 9 typ moon", "candidate:1 1 udp 5 192.0.2.1 9 host typ",
    "candidate:1 1 udp 5 192.0.2.1\u{7}x 9 typ host", "candidate:1 1 udp 5 192.0.2.1 9",
    "candidate:123456789012345678901234567890123 1 udp 5 192.0.2.1 9 typ host",
])
func aBrokenCandidateIsNone(text: String) {
    #expect(ICECandidate(parsing: text) == nil)
}

@Test func aVeryLongCandidateIsNone() {
    let text = "candidate:1 1 udp 5 192.0.2.1 9 typ host" + String(repeating: " a b", count: 400)
    #expect(ICECandidate(parsing: text) == nil)
}
