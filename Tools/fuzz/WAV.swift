import Devices
import MediaTypes

/// libFuzzer target: the header of a WAV file; what it promises lies inside the file, and it is read back as written.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzWAV(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let header = try? WAVHeader(parsing: input, fileByteCount: count) else { return 0 }
    precondition(header.frameCount > 0 && header.dataOffset + header.dataByteCount <= count)
    precondition(header.dataByteCount == header.frameCount * 2 * header.format.channelCount)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: WAVHeader.writtenByteCount, alignment: 1)
    defer { copy.deallocate() }
    WAVHeader.write(format: header.format, dataByteCount: header.dataByteCount, into: copy)
    let again = try? WAVHeader(
        parsing: UnsafeRawBufferPointer(copy), fileByteCount: WAVHeader.writtenByteCount + header.dataByteCount)
    precondition(again?.format == header.format && again?.dataByteCount == header.dataByteCount)
    return 0
}
