import Codecs
import Glibc
import MediaTypes
import Testing

@testable import Devices

@Suite struct SnapshotDisplayTests {
    static func options(_ text: String) throws(DeviceError) -> SnapshotOptions {
        try SnapshotOptions(specifier: DeviceSpecifier(text))
    }

    @Test func optionsAreRead() throws {
        let plain = try Self.options("snapshots:/tmp/a,b")
        #expect(plain.directory == "/tmp/a,b" && plain.period == .seconds(Int64(1)) && plain.keptCount == 60)
        let all = try Self.options("snapshots:dir,period=250,keep=3,size=1280x720")
        #expect(all.directory == "dir" && all.period == .milliseconds(250) && all.keptCount == 3)
        #expect(all.size == PictureSize(width: 1_280, height: 720))
    }

    @Test(arguments: [
        "snapshots", "snapshots:", "snapshots:d,perod=3", "snapshots:d,period=0", "snapshots:d,keep=x",
        "snapshots:d,size=9", "snapshots:d,size=9x9",
    ])
    func wrongOptionsAreTold(specifier: String) {
        #expect(throws: DeviceError.self) { try Self.options(specifier) }
    }

    @Test func theNewestPictureIsWrittenOncePerPeriodAndOldOnesGo() throws {
        let folder = TemporaryFolder()
        let display = try SnapshotDisplay(specifier: DeviceSpecifier("snapshots:\(folder.path),keep=3,size=160x120"))
        let picture = Picture(size: display.size)
        for index in 0..<50 {
            FrameCounterCode.draw(Int64(index), in: picture)
            try display.show(picture, at: MonotonicTime(nanoseconds: 7_000_000_000 + Int64(index) * 100_000_000))
        }
        #expect(folder.names == ["000003.png", "000004.png", "000005.png", "latest.png"])
        // A second apart: pictures 0, 10, 20, 30, 40.
        for (name, number) in [("000003.png", 20), ("000004.png", 30), ("latest.png", 40)] {
            #expect(FrameCounterCode.read(from: try PNGReader.read("\(folder.path)/\(name)")) == number)
        }
        let again = try SnapshotDisplay(specifier: DeviceSpecifier("snapshots:\(folder.path),keep=2"))
        try again.show(picture, at: .zero)
        #expect(folder.names == ["000005.png", "000006.png", "latest.png"])
    }

    @Test func aFolderThatCannotBeWrittenIsTold() throws {
        #expect(throws: DeviceError.self) { try SnapshotDisplay(specifier: "snapshots:/none/deeper") }
        #expect(throws: DeviceError.self) { try SnapshotDisplay(specifier: "snapshots:/dev/null") }
        let folder = TemporaryFolder()
        let display = try SnapshotDisplay(specifier: DeviceSpecifier("snapshots:\(folder.path)/sub"))
        rmdir("\(folder.path)/sub")
        #expect(throws: DeviceError.self) { try display.show(Picture(size: display.size), at: .zero) }
    }
}
