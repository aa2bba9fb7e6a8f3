/// Names one RTP stream inside a session (RFC 3550 §3).
package struct SSRC: Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
