import Codecs
import MediaTypes

/// libFuzzer target: a decoder is given several frames in a row, each with its length in two bytes before it.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzVP8Frames(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let largest = PictureSize(width: 352, height: 288)
    guard let decoder = try? VP8Decoder(largest: largest) else { return 0 }
    let picture = Picture(size: PictureSize(width: 16, height: 16))
    var rest = UnsafeRawBufferPointer(start: bytes, count: count)
    while rest.count > 2 {
        let length = min(Int(rest[0]) | Int(rest[1]) << 8, rest.count - 2)
        let frame = UnsafeRawBufferPointer(rebasing: rest[2..<2 + length])
        rest = UnsafeRawBufferPointer(rebasing: rest[(2 + length)...])
        guard let isShown = try? decoder.decode(frame, into: picture) else {
            precondition(decoder.needsKeyFrame)
            continue
        }
        precondition(!isShown || picture.size.width * picture.size.height <= largest.width * largest.height)
    }
    return 0
}
