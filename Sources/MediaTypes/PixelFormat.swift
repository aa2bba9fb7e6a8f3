/// How a camera lays out its pixels; what the pipeline carries is always `i420`.
package enum PixelFormat: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case i420
    case nv12
    case yuyv
    case mjpeg
}
