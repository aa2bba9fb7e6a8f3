import MediaTypes

/// One filled buffer of a camera; it belongs to the reader until it is given back.
struct V4L2Frame {
    /// Which buffer it is.
    var index: UInt32
    var bytes: UnsafeRawBufferPointer
    /// Counts pictures in the driver, those that were lost included.
    var sequence: UInt32
    /// When the picture was taken.
    var time: MonotonicTime
    /// The driver marks it as damaged.
    var isBroken: Bool
}
