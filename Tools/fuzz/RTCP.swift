import MediaTypes
import RTPWire

/// libFuzzer target: RTCP compounds; every block is walked, and transport-wide feedback is built again from its content.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzRTCP(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    guard let compound = RTCPCompoundView(input) else { return 0 }
    precondition(isRTCP(input))
    for block in compound {
        switch block {
        case .senderReport(let report, let reports):
            _ = report.ntpTime.monotonicTime(unixOffset: .zero)
            for report in reports { _ = NTPTime.roundTripTime(arrival: 0x1234_5678, report: report) }
        case .receiverReport(_, let reports):
            precondition(Array(reports).count <= 31)
        case .sourceDescription(let list):
            for chunk in list { precondition(chunk.cname.count <= 255) }
        case .bye(let sources), .maximumBitrate(_, let sources):
            precondition(Array(sources).count <= 255)
        case .nack(let media, let missing): writeAgain(media, missing)
        case .fullIntraRequest(let list): for _ in list {}
        case .transportFeedback(let view): buildAgain(view)
        case .pictureLoss, .other, .malformed: break
        }
    }
    return 0
}

private func writeAgain(_ media: SSRC, _ missing: SequenceNumberList) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_200, alignment: 1)
    defer { copy.deallocate() }
    var writer = RTCPWriter(into: copy)
    _ = writer.appendNACK(sender: SSRC(1), media: media, missing: missing)
}

private func buildAgain(_ view: TransportFeedbackView) {
    let statuses = Array(view)
    precondition(statuses.count == view.statusCount)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_200, alignment: 1)
    defer { copy.deallocate() }
    var writer = RTCPWriter(into: copy)
    let covered = writer.appendTransportFeedback(
        sender: view.sender, media: view.media, feedbackCount: view.feedbackCount, baseSequence: view.baseSequence,
        statusCount: statuses.count,
        arrival: { index in
            statuses[index].arrivalTicks.map { MonotonicTime(nanoseconds: ($0 + view.referenceTicks) * 250_000) }
        })
    guard covered > 0 else { return }
    guard var compound = RTCPCompoundView(UnsafeRawBufferPointer(rebasing: copy[..<writer.count])),
        case .transportFeedback(let again)? = compound.next()
    else { preconditionFailure("feedback that was written is refused") }
    for (old, new) in zip(statuses, again) {
        precondition(old.sequenceNumber == new.sequenceNumber)
        // The reference time has 24 bits, and may wrap where ours starts earlier.
        let difference = (old.arrivalTicks ?? 0) + view.referenceTicks - (new.arrivalTicks ?? 0) - again.referenceTicks
        precondition((old.arrivalTicks == nil) == (new.arrivalTicks == nil))
        precondition(old.arrivalTicks == nil || difference % (1 << 32) == 0)
    }
}
