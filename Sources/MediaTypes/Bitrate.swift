/// A rate of data on the wire or out of an encoder.
package struct Bitrate: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var bitsPerSecond: Int

    package init(bitsPerSecond: Int) {
        self.bitsPerSecond = bitsPerSecond
    }

    package static func kilobitsPerSecond(_ count: Int) -> Bitrate { Bitrate(bitsPerSecond: count * 1_000) }
    package var kilobitsPerSecond: Int { bitsPerSecond / 1_000 }

    package static func < (a: Bitrate, b: Bitrate) -> Bool { a.bitsPerSecond < b.bitsPerSecond }
}
