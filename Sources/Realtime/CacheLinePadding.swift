/// Keeps what two threads write on different cache lines, so that neither slows the other down.
///
/// 128 bytes: some cores fetch lines in pairs.
struct CacheLinePadding: BitwiseCopyable, Sendable {
    private let words: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
    private let more: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
}
