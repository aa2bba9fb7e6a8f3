import Glibc
import MediaTypes

/// What `snapshots:DIRECTORY[,period=MS][,keep=COUNT][,size=WxH]` asks for.
struct SnapshotOptions: Equatable, Sendable {
    var directory: String
    /// Shortest time between two snapshots.
    var period = Interval.milliseconds(1_000)
    /// How many numbered snapshots stay.
    var keptCount = 60
    var size = PictureSize(width: 640, height: 480)

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        let (directory, options) = specifier.argumentAndOptions
        guard !directory.isEmpty else {
            throw .unsupported(name: specifier.text, reason: "write snapshots:DIRECTORY")
        }
        self.directory = directory
        for (key, value) in options {
            switch key {
            case "period":
                guard let number = Int64(value), (10...3_600_000).contains(number) else {
                    throw .unsupported(
                        name: specifier.text, reason: "period is 10 to 3600000 milliseconds, not '\(value)'")
                }
                period = .milliseconds(number)
            case "keep":
                guard let number = Int(value), (1...999_999).contains(number) else {
                    throw .unsupported(name: specifier.text, reason: "keep is 1 to 999999, not '\(value)'")
                }
                keptCount = number
            case "size":
                let sides = value.split(separator: "x").compactMap { Int($0) }
                guard sides.count == 2, sides.allSatisfy({ (16...4_096).contains($0) }) else {
                    throw .unsupported(
                        name: specifier.text, reason: "size is WIDTHxHEIGHT of 16 to 4096, not '\(value)'")
                }
                size = PictureSize(width: sides[0], height: sides[1])
            default:
                throw .unsupported(
                    name: specifier.text, reason: "there is no option '\(key)'; possible are period, keep and size")
            }
        }
    }
}
