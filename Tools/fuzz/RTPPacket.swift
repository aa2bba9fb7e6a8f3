import MediaTypes
import RTPWire

/// libFuzzer target: RTP packets, their header extensions and Opus payloads; what was read is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzRTPPacket(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    _ = DatagramKind(input)
    _ = OpusPayload(input)
    guard let view = RTPPacketView(input) else { return 0 }
    precondition(view.headerByteCount + view.payload.count + view.paddingByteCount == count)
    for index in 0..<view.csrcCount { _ = view.csrc(at: index) }
    for element in view.extensionElements { precondition(element.value.count <= 255) }
    if let opus = OpusPayload(view.payload) { precondition(opus.durationTicks <= 5_760) }

    let map = HeaderExtensionMap(audioLevel: 1, absSendTime: 2, transportSequence: 3, mid: 4, absCaptureTime: 15)
    let values = HeaderExtensionValues(view, map: map)
    let header = RTPHeader(
        payloadType: view.payloadType, marker: view.marker, sequenceNumber: view.sequenceNumber,
        timestamp: view.timestamp, ssrc: view.ssrc)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count + 64, alignment: 1)
    defer { copy.deallocate() }
    var writer = RTPPacketWriter(into: copy, header: header, extensions: values, map: map)
    writer.appendPayload(view.payload)
    guard let size = writer.finishedByteCount else { return 0 }
    guard let again = RTPPacketView(UnsafeRawBufferPointer(rebasing: copy[..<size])) else {
        preconditionFailure("a packet that was written is refused")
    }
    let read = HeaderExtensionValues(again, map: map)
    precondition(again.payload.elementsEqual(view.payload))
    precondition(again.sequenceNumber == view.sequenceNumber && again.timestamp == view.timestamp)
    precondition(read.audioLevel == values.audioLevel && read.absSendTime == values.absSendTime)
    precondition(read.transportSequence == values.transportSequence && read.absCaptureTime == values.absCaptureTime)
    precondition((read.mid.map { Array($0) } ?? []) == (values.mid.map { Array($0) } ?? []))
    return 0
}
