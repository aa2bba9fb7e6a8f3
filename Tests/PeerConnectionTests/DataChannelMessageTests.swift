import Testing

@testable import PeerConnection

struct DataChannelMessageTests {
    @Test func whatIsWrittenIsRead() {
        let open = DataChannelMessage.open(label: "größe", subprotocol: "json", isOrderedAndReliable: true)
        for message in [open, .acknowledge] {
            #expect(message.bytes.withUnsafeBytes { DataChannelMessage($0) } == message)
        }
    }

    @Test func theOpenMessageHasTheLayoutOfTheRFC() {
        let bytes = DataChannelMessage.open(label: "ab", subprotocol: "c", isOrderedAndReliable: true).bytes
        #expect(bytes == [3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 1, 97, 98, 99])
    }

    @Test func malformedMessagesAreNil() {
        let good = DataChannelMessage.open(label: "label", subprotocol: "p", isOrderedAndReliable: true).bytes
        for count in 0..<good.count {
            let cut = Array(good.prefix(count))
            #expect(cut.withUnsafeBytes { DataChannelMessage($0) } == nil)
        }
        #expect([UInt8]([9, 9]).withUnsafeBytes { DataChannelMessage($0) } == nil)
        let huge: [UInt8] = [3, 0, 1, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(huge.withUnsafeBytes { DataChannelMessage($0) } == nil)
    }
}
