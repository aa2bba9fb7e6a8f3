import CV4L

/// The sizes that one entry of `VIDIOC_ENUM_FRAMESIZES` stands for.
struct V4L2Sides {
    var width: CameraMode.SideRange
    var height: CameraMode.SideRange

    init(_ discrete: v4l2_frmsize_discrete) {
        width = .init(minimum: Int(discrete.width), maximum: Int(discrete.width), step: 1)
        height = .init(minimum: Int(discrete.height), maximum: Int(discrete.height), step: 1)
    }

    /// A continuous range has steps of 1; broken entries become a single size.
    init(_ stepwise: v4l2_frmsize_stepwise) {
        width = .init(
            minimum: Int(stepwise.min_width), maximum: max(Int(stepwise.min_width), Int(stepwise.max_width)),
            step: max(1, Int(stepwise.step_width)))
        height = .init(
            minimum: Int(stepwise.min_height), maximum: max(Int(stepwise.min_height), Int(stepwise.max_height)),
            step: max(1, Int(stepwise.step_height)))
    }
}
