import MediaTypes

/// `640x480@30`.
struct CameraWish {
    var size: PictureSize
    var framesPerSecond: Int

    init?(_ text: String) {
        let numbers = text.split(whereSeparator: { $0 == "x" || $0 == "@" }).compactMap { Int($0) }
        guard numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else { return nil }
        size = PictureSize(width: numbers[0], height: numbers[1])
        framesPerSecond = numbers[2]
    }
}
