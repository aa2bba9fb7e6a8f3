import MediaTypes

/// The first line of a YUV4MPEG2 file with 8-bit 4:2:0 pictures.
///
/// - Source: the mjpegtools manual page yuv4mpeg(5). All 4:2:0 variants are taken as they are: where the chroma samples
///   sit differs by less than a pixel.
package struct Y4MHeader: Equatable, Sendable {
    package var size: PictureSize
    /// Pictures per second as a fraction.
    package var rateNumerator: Int
    package var rateDenominator: Int
    /// Length of the header line with its line feed.
    package var byteCount: Int

    /// A header line that is longer is not a header.
    package static let maximumByteCount = 1_024

    package var framesPerSecond: Double { Double(rateNumerator) / Double(rateDenominator) }
    /// Bytes of one picture behind its frame line: planes without padding, chroma rounded up.
    package var pictureByteCount: Int {
        size.width * size.height + 2 * ((size.width + 1) / 2) * ((size.height + 1) / 2)
    }

    /// Reads the header line.
    ///
    /// - Parameter prefix: the first `maximumByteCount` bytes of the file, or all of it when it is shorter.
    package init(parsing prefix: UnsafeRawBufferPointer) throws(FileFormatProblem) {
        guard prefix.starts(with: "YUV4MPEG2".utf8), prefix.count > 9, prefix[9] == 0x20 || prefix[9] == 0x0A else {
            throw FileFormatProblem("is not a YUV4MPEG2 (.y4m) file")
        }
        guard let end = prefix.prefix(Y4MHeader.maximumByteCount).firstIndex(of: 0x0A) else {
            throw FileFormatProblem("ends inside its header line, or the line is too long")
        }
        byteCount = end + 1
        var width: Int?
        var height: Int?
        var rate: (Int, Int)?
        for field in prefix[9..<end].split(separator: 0x20) {
            // The split leaves no empty field.
            let value = field.dropFirst()
            switch field[field.startIndex] {
            case UInt8(ascii: "W"): width = Y4MHeader.number(value)
            case UInt8(ascii: "H"): height = Y4MHeader.number(value)
            case UInt8(ascii: "F"): rate = try Y4MHeader.fraction(value)
            case UInt8(ascii: "I"): try Y4MHeader.checkInterlacing(value)
            case UInt8(ascii: "C"): try Y4MHeader.checkChroma(value)
            case UInt8(ascii: "A"), UInt8(ascii: "X"): break
            default: throw FileFormatProblem("has an unknown field '\(Y4MHeader.text(field))' in its header line")
            }
        }
        guard let width, let height, (2...8_192).contains(width), (2...8_192).contains(height) else {
            throw FileFormatProblem("has no width and height between 2 and 8192 in its header line")
        }
        guard let rate else { throw FileFormatProblem("has no frame rate in its header line") }
        size = PictureSize(width: width, height: height)
        (rateNumerator, rateDenominator) = rate
    }

    /// Length of the line in front of one picture, with its line feed; nil when there is no such line.
    ///
    /// - Parameter bytes: what stands where the frame line should be; 128 bytes are enough.
    package static func frameLineByteCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.starts(with: "FRAME".utf8), bytes.count > 5, bytes[5] == 0x20 || bytes[5] == 0x0A,
            let end = bytes.prefix(128).firstIndex(of: 0x0A)
        else { return nil }
        return end + 1
    }

    private static func checkInterlacing(_ value: Slice<UnsafeRawBufferPointer>) throws(FileFormatProblem) {
        guard value.elementsEqual("p".utf8) || value.elementsEqual("?".utf8) else {
            throw FileFormatProblem("is interlaced (I\(text(value))); only progressive pictures are possible")
        }
    }

    private static func checkChroma(_ value: Slice<UnsafeRawBufferPointer>) throws(FileFormatProblem) {
        let known = ["420", "420jpeg", "420mpeg2", "420paldv"]
        guard known.contains(where: { value.elementsEqual($0.utf8) }) else {
            throw FileFormatProblem(
                "has the pixel format C\(text(value)); possible are C\(known.joined(separator: ", C"))")
        }
    }

    private static func fraction(_ value: Slice<UnsafeRawBufferPointer>) throws(FileFormatProblem) -> (Int, Int) {
        let parts = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let numerator = number(parts[0]), let denominator = number(parts[1]),
            numerator > 0, denominator > 0, numerator <= 1_000 * denominator, denominator <= 60 * numerator
        else { throw FileFormatProblem("has the frame rate F\(text(value)); possible is 1/60 to 1000 a second") }
        return (numerator, denominator)
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// A field for an error message: short, printable.
    private static func text(_ field: Slice<UnsafeRawBufferPointer>) -> String {
        let shown = field.prefix(24).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: shown, as: UTF8.self)
    }
}
