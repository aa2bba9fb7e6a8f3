import Devices
import MediaTypes

/// libFuzzer target: the header line of a YUV4MPEG2 file and the line in front of a picture.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzY4M(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    if let lineByteCount = Y4MHeader.frameLineByteCount(input) { precondition((6...128).contains(lineByteCount)) }
    guard let header = try? Y4MHeader(parsing: input) else { return 0 }
    precondition(header.byteCount <= count && header.framesPerSecond > 0 && header.framesPerSecond <= 1_000)
    precondition(header.pictureByteCount > 0 && header.pictureByteCount <= 8_192 * 8_192 * 3 / 2)
    if header.byteCount < count {
        _ = Y4MHeader.frameLineByteCount(UnsafeRawBufferPointer(rebasing: input[header.byteCount...]))
    }
    return 0
}
