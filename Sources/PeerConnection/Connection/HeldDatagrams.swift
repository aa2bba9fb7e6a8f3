/// Keeps the few datagrams that come before the layer above is ready, so that the first flight is not lost.
struct HeldDatagrams {
    private static let countLimit = 16
    private static let byteLimit = 1_500
    private var datagrams: [[UInt8]] = []

    /// Keeps a copy.
    /// - Returns: false when there are too many already; the datagram is then lost.
    mutating func hold(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard datagrams.count < HeldDatagrams.countLimit, bytes.count <= HeldDatagrams.byteLimit else { return false }
        datagrams.append(Array(bytes))
        return true
    }

    /// Everything that was held, oldest first; nothing is held afterwards.
    mutating func takeAll() -> [[UInt8]] {
        let all = datagrams
        datagrams = []
        return all
    }
}
