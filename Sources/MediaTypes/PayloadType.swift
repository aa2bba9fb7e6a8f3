/// The 7-bit RTP payload type; what it means is settled per connection by SDP.
package struct PayloadType: Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
