import Glibc

/// The parts of the address space that malloc has mapped, as the kernel lists them.
struct AnonymousMappings {
    /// Readable, writable and private, without a file; in order of address.
    private(set) var ranges: [Range<UInt>] = []

    /// Reads `/proc/self/maps`; nil when it cannot be read.
    init?() {
        let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(file, &piece, piece.count)
            guard count > 0 else { break }
            text += piece[0..<count]
        }
        for line in text.split(separator: 0x0A) {
            // "start-end rw-p 00000000 00:00 0" and a name unless anonymous.
            let fields = line.split(separator: 0x20)
            guard fields.count == 5, fields[1].elementsEqual("rw-p".utf8) else { continue }
            let bounds = fields[0].split(separator: 0x2D).map { UInt(String(decoding: $0, as: UTF8.self), radix: 16) }
            guard bounds.count == 2, let start = bounds[0], let end = bounds[1], start < end else { continue }
            ranges.append(start..<end)
        }
    }

    /// What is here and was not there.
    func subtracting(_ before: AnonymousMappings) -> [Range<UInt>] {
        ranges.flatMap { range -> [Range<UInt>] in
            var pieces: [Range<UInt>] = []
            var start = range.lowerBound
            for old in before.ranges where old.overlaps(range) {
                if start < old.lowerBound { pieces.append(start..<old.lowerBound) }
                start = max(start, old.upperBound)
            }
            if start < range.upperBound { pieces.append(start..<range.upperBound) }
            return pieces
        }
    }
}
