/// The two kinds of track a stream may have.
package enum MediaKind: String, Hashable, Sendable, BitwiseCopyable {
    case audio
    case video
}
