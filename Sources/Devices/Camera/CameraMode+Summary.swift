extension CameraMode {
    /// What a camera offers, for people: a line for each format that is used, `YUYV 640x480 (30), 1280x720 (10)` with
    /// the highest rates, and one for the formats that libv4l would have to convert.
    static func summary(of modes: [CameraMode]) -> [String] {
        var formats: [FourCC] = []
        for mode in modes where !mode.isEmulated && !formats.contains(mode.pixelFormat) {
            formats.append(mode.pixelFormat)
        }
        let used = formats.filter { CameraNegotiation.conversion(of: $0) != nil }
        var lines = used.map { format in
            let sizes = modes.filter { $0.pixelFormat == format && !$0.isEmulated }.map(\.sizeAndRate)
            return "\(format) \(sizes.joined(separator: ", "))"
        }
        let others = formats.filter { CameraNegotiation.conversion(of: $0) == nil }.map(\.description)
        if !others.isEmpty {
            let more = others.count > 8 ? " and \(others.count - 8) more" : ""
            lines.append("also \(others.prefix(8).joined(separator: ", "))\(more)")
        }
        return lines
    }

    private var sizeAndRate: String {
        let isSingle = width.minimum == width.maximum && height.minimum == height.maximum
        let size =
            isSingle
            ? "\(width.minimum)x\(height.minimum)"
            : "\(width.minimum)x\(height.minimum) to \(width.maximum)x\(height.maximum)"
        guard let rate = rates.map(\.upperBound).max() else { return size }
        let tenths = Int((rate * 10).rounded())
        return tenths % 10 == 0 ? "\(size) (\(tenths / 10))" : "\(size) (\(tenths / 10).\(tenths % 10))"
    }
}
