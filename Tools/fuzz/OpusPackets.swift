import Codecs

/// libFuzzer target: a decoder is given several packets in a row, each with its length in one byte before it; an odd
/// length also asks for the copy of the packet before it.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOpusPackets(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard let decoder = try? OpusDecoder() else { return 0 }
    let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: OpusDecoder.maximumFrames)
    defer { samples.deallocate() }
    var rest = UnsafeRawBufferPointer(start: bytes, count: count)
    while rest.count > 1 {
        let length = min(Int(rest[0]), rest.count - 1)
        let packet = UnsafeRawBufferPointer(rebasing: rest[1..<1 + length])
        if length % 2 == 1 { precondition(decoder.decodeFEC(packet, frames: 960, into: samples) <= 960) }
        precondition(decoder.decode(packet, into: samples) <= samples.count)
        rest = UnsafeRawBufferPointer(rebasing: rest[(1 + length)...])
    }
    return 0
}
