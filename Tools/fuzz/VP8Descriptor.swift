import RTPWire

/// libFuzzer target: VP8 payload descriptors and frame headers; a descriptor that was read is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzVP8Descriptor(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let parsed = VP8PayloadDescriptor.parse(input) else { return 0 }
    precondition(parsed.byteCount >= 1 && parsed.byteCount <= count)
    _ = VP8FrameHeader(input.part(from: parsed.byteCount, length: count - parsed.byteCount))

    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
    defer { copy.deallocate() }
    var writer = ByteWriter(copy)
    parsed.descriptor.write(to: &writer)
    precondition(!writer.hasOverflowed && writer.count == parsed.descriptor.byteCount)
    let again = VP8PayloadDescriptor.parse(UnsafeRawBufferPointer(rebasing: copy[..<writer.count]))
    precondition(again?.descriptor == parsed.descriptor && again?.byteCount == writer.count)
    return 0
}
