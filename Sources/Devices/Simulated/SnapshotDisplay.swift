import Codecs
import Glibc
import MediaTypes

/// Display `snapshots:DIRECTORY`: writes about once a second the picture that is shown, as `NNNNNN.png` with rising
/// numbers and as `latest.png`, each of them complete at every moment. Only the last numbered ones stay.
///
/// - Thread: PNG is written in `show`, on the caller's thread: about 10 ms for 640x480.
final class SnapshotDisplay: DisplayDevice {
    let name: String
    private let options: SnapshotOptions
    private let writer = PNGWriter()
    private(set) var nextPictureTime = MonotonicTime.zero
    private var nextNumber: Int

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        options = try SnapshotOptions(specifier: specifier)
        if mkdir(options.directory, 0o755) != 0 {
            let code = errno
            guard code == EEXIST else {
                throw .system(name: specifier.text, operation: "make the directory", code: code)
            }
        }
        guard let names = SnapshotDisplay.numbers(in: options.directory) else {
            throw .system(name: specifier.text, operation: "read the directory", code: ENOTDIR)
        }
        // What an earlier run left is not overwritten, but counts for what stays.
        nextNumber = (names.max() ?? 0) + 1
        for number in names where number <= nextNumber - options.keptCount { unlink(path(number)) }
    }

    var size: PictureSize { options.size }

    /// Writes the picture if it is time for one; those in between are left out.
    func show(_ picture: Picture, changes: PictureRegion, at time: MonotonicTime) throws(DeviceError) {
        guard time >= nextPictureTime else { return }
        // Absolute steps keep the rate; after a pause they begin anew.
        nextPictureTime = (time - nextPictureTime < options.period ? nextPictureTime : time) + options.period
        let numbered = path(nextNumber)
        do {
            try writer.write(picture, to: numbered)
        } catch {
            throw DeviceError.invalidFile(path: numbered, reason: "cannot be written: \(error)")
        }
        try publishLatest(numbered, picture)
        unlink(path(nextNumber - options.keptCount))
        nextNumber += 1
    }

    func close() {}

    /// Lets `latest.png` be the same file, in one step.
    private func publishLatest(_ numbered: String, _ picture: Picture) throws(DeviceError) {
        let latest = "\(options.directory)/latest.png"
        let link = "\(options.directory)/latest.png.part"
        unlink(link)
        if Glibc.link(numbered, link) == 0 {
            guard rename(link, latest) == 0 else {
                throw .system(name: name, operation: "rename latest.png", code: errno)
            }
            // When both already were the same file, rename leaves the first in place.
            unlink(link)
            return
        }
        // A file system without hard links.
        do {
            try writer.write(picture, to: latest)
        } catch {
            throw DeviceError.invalidFile(path: latest, reason: "cannot be written: \(error)")
        }
    }

    private func path(_ number: Int) -> String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 6 - digits.utf8.count))
        return "\(options.directory)/\(zeros)\(digits).png"
    }

    /// Numbers of the snapshots that are there; nil when it is no directory.
    private static func numbers(in directory: String) -> [Int]? {
        DirectoryListing.names(in: directory)?.compactMap { name in
            guard name.hasSuffix(".png"), name.utf8.count >= 10 else { return nil }
            return Int(name.dropLast(4))
        }
    }
}
