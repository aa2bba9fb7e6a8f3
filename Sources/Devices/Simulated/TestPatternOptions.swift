import MediaTypes

/// What `test-pattern[:variant=NUMBER][,size=WxH]` asks for.
struct TestPatternOptions: Equatable, Sendable {
    var variant = 1
    /// What the camera delivers whatever is wished, as a real one may; nil delivers the wished size.
    var size: PictureSize?

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        for option in specifier.argument.split(separator: ",", omittingEmptySubsequences: false)
        where !specifier.argument.isEmpty {
            let parts = option.split(separator: "=", maxSplits: 1)
            let value = parts.count == 2 ? parts[1] : ""
            switch parts.first {
            case "variant":
                guard let number = Int(value), PatternPalette.variants.contains(number) else {
                    throw .unsupported(name: specifier.text, reason: "variant is 1 or 2, not '\(value)'")
                }
                variant = number
            case "size":
                let sides = value.split(separator: "x").compactMap { Int($0) }
                guard sides.count == 2, sides.allSatisfy({ (16...4_096).contains($0) }) else {
                    throw .unsupported(
                        name: specifier.text, reason: "size is WIDTHxHEIGHT of 16 to 4096, not '\(value)'")
                }
                size = PictureSize(width: sides[0], height: sides[1])
            default:
                throw .unsupported(
                    name: specifier.text, reason: "there is no option '\(option)'; possible are variant and size")
            }
        }
    }
}
