import MediaTypes
import Testing

@testable import Configuration

@Suite struct PartsTests {
    static let distances: [(String, String, Int)] = [
        ("", "", 0), ("a", "", 1), ("width", "width", 0), ("widht", "width", 1), ("wdth", "width", 1),
        ("wiidth", "width", 1), ("wadth", "width", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
    ]

    @Test func editDistancesCountExchangesOnce() {
        for (a, b, expected) in Self.distances {
            #expect(NearestWord.distance(Array(a.utf8), Array(b.utf8)) == expected, "\(a) \(b)")
            #expect(NearestWord.distance(Array(b.utf8), Array(a.utf8)) == expected, "\(b) \(a)")
        }
    }

    @Test func farWordsAreNotSuggested() {
        #expect(NearestWord.find("fps", in: ["width", "height"]) == nil)
        #expect(NearestWord.find("", in: ["a"]) == nil)
        #expect(NearestWord.find("HEIGTH", in: ["width", "height"]) == "height")
        #expect(NearestWord.find(String(repeating: "a", count: 10_000), in: ["a"]) == nil)
    }

    @Test func bitRatesAreSpelledAsTheyAreRead() {
        for rate in [6_000, 30_000, 999_999, 1_000_000, 1_500_000, 1_234_000, 20_000_000] {
            let spelled = BitrateText.spell(Bitrate(bitsPerSecond: rate))
            #expect(BitrateText.parse(spelled) == Bitrate(bitsPerSecond: rate), "\(spelled)")
        }
    }

    static let goodURLs = [
        "ws://h", "ws://127.0.0.1:8080/ws", "wss://lobby.example.org/ws?x=1", "ws://[::1]:80/", "ws://h?x",
    ]
    static let badURLs = [
        "", "ws:", "ws://", "ws://:80", "http://h", "ws://h:0", "ws://h:65536", "ws://h:", "ws://h:8x", "ws://u@h/",
        "ws://[::1", "ws://[]:1", "ws://h/#f", "ws://h h", "ws://h\n", "ws://é", "WS://h",
    ]

    @Test func urlsAreChecked() {
        for url in Self.goodURLs { #expect(URLText(url, schemes: ["ws", "wss"]) != nil, "\(url)") }
        for url in Self.badURLs { #expect(URLText(url, schemes: ["ws", "wss"]) == nil, "\(url)") }
    }

    static let badICEURLs = [
        "", "stun", "stun:", "stun:h?transport=udp", "turn:h?transport=tls", "turn:h?transport=tcp&x", "turns:h",
        "turn:u@h", "turn://h", "http:h", "turn:h:99999", "turn:?transport=tcp",
    ]

    @Test func iceURLsAreChecked() {
        for url in Self.badICEURLs { #expect(ICEServerURL(url) == nil, "\(url)") }
        #expect(ICEServerURL("turn:h?transport=udp")?.kind == .turnOverUDP)
        #expect(ICEServerURL("stun:[::1]:5")?.port == 5)
    }

    @Test func brokenUTF8IsFoundAtItsByte() {
        let cases: [([UInt8], Int?)] = [
            ([], nil), ([0x41], nil), ([0x80], 0), ([0x41, 0xC3, 0xA9], nil), ([0xC3], 0), ([0xC0, 0x80], 0),
            ([0xE0, 0x80, 0x80], 0), ([0xED, 0xA0, 0x80], 0), ([0xE2, 0x82, 0xAC], nil), ([0xE2, 0x82], 0),
            ([0xF0, 0x9F, 0x98, 0x80], nil), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5], 0), ([0x41, 0x00], 1),
            ([0xF0, 0x9F, 0x98, 0x41], 0),
        ]
        for (bytes, expected) in cases {
            #expect(bytes.withUnsafeBytes { UTF8Validation.firstInvalidOffset($0) } == expected, "\(bytes)")
        }
    }
}
