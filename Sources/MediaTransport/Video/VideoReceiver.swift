import MediaTypes
import RTPWire

/// Makes frames of one received VP8 stream, and knows when only a key frame helps.
final class VideoReceiver {
    /// What a stall may last before a key frame is asked for, besides asking for the missing packets.
    static let shortestStall = Interval.milliseconds(200)
    static let longestStall = Interval.milliseconds(600)

    private(set) var assembler: FrameAssembler
    private var requester = KeyFrameRequester()
    /// A key frame is needed whatever else comes (the decoder asked, or the chain is broken).
    private var needsKeyFrame = false
    private var blockedSince: MonotonicTime?
    /// When the newest key frame that is not whole yet began: it gets its time before another one is asked for.
    private var keyFrameBegan: MonotonicTime?
    /// Packets came since the last time that no frame was found.
    private var mayHaveFrame = false

    init(pool: PacketPool) {
        assembler = FrameAssembler(pool: pool)
    }

    /// Takes one packet in.
    /// - Returns: why it was dropped, or nil.
    func insert(
        _ payload: UnsafeRawBufferPointer, sequence: Int64, timestamp: Int64, marker: Bool, at time: MonotonicTime
    ) -> PacketDropReason? {
        var packet = FrameAssembler.Packet(
            sequence: sequence, timestamp: timestamp, marker: marker, startsFrame: false, isKeyFrame: false,
            payload: payload)
        var reason: PacketDropReason?
        if !payload.isEmpty {
            guard payload.count <= PacketPool.slotBytes else { return .payloadTooLong }
            if let (descriptor, byteCount) = VP8PayloadDescriptor.parse(payload), byteCount < payload.count {
                packet.payload = payload.part(from: byteCount, length: payload.count - byteCount)
                packet.startsFrame = descriptor.startsFrame
                if descriptor.startsFrame { packet.isKeyFrame = VP8FrameHeader.isKeyFrame(packet.payload) }
            } else {
                return .badPayloadDescriptor
            }
        }
        switch assembler.insert(packet) {
        case .stored: if packet.isKeyFrame { keyFrameBegan = time }
        case .old: reason = .tooOld
        case .duplicate: reason = .duplicate
        case .useless: demandKeyFrame()
        case .full:
            demandKeyFrame()
            reason = .receiveBufferFull
        }
        mayHaveFrame = true
        return reason
    }

    /// The next frame that can be decoded, copied into `buffer`; nil when there is none.
    /// - Parameter refuse: called for each frame that is too large; a key frame is then asked for.
    func nextFrame(
        into buffer: inout FrameBuffer, at time: MonotonicTime, refuse: () -> Void
    ) -> (frame: FrameAssembler.Frame, bytes: UnsafeRawBufferPointer)? {
        guard mayHaveFrame else { return nil }
        while let frame = assembler.nextFrame() {
            guard frame.byteCount <= FrameBuffer.frameLimit else {
                assembler.take(frame, into: nil)
                assembler.breakChain()
                demandKeyFrame()
                refuse()
                continue
            }
            let bytes = buffer.prepare(byteCount: frame.byteCount)
            assembler.take(frame, into: bytes)
            blockedSince = nil
            if frame.isKeyFrame {
                needsKeyFrame = false
                keyFrameBegan = nil
            }
            if !needsKeyFrame { requester.settle() }
            return (frame, UnsafeRawBufferPointer(bytes))
        }
        mayHaveFrame = false
        if assembler.isBlocked {
            blockedSince = blockedSince ?? time
        } else {
            blockedSince = nil
            if !needsKeyFrame { requester.settle() }
        }
        return nil
    }

    /// Only a key frame helps: ask until one is here.
    func demandKeyFrame() {
        needsKeyFrame = true
        requester.want()
    }

    func reset() {
        assembler.reset()
        blockedSince = nil
        keyFrameBegan = nil
        needsKeyFrame = false
        requester.settle()
    }

    /// When `takeDueRequest` may have something to do.
    func nextDeadline(roundTrip: Interval) -> MonotonicTime {
        let limit = stallLimit(roundTrip)
        var request = requester.nextDeadline(roundTrip: roundTrip)
        if request == .distantFuture, let blockedSince { request = blockedSince + limit }
        if request == .distantFuture { return request }
        return keyFrameBegan.map { max(request, $0 + limit) } ?? request
    }

    /// Whether a key frame is to be asked for now; counts as asked.
    func takeDueRequest(roundTrip: Interval, at time: MonotonicTime) -> Bool {
        guard nextDeadline(roundTrip: roundTrip) <= time else { return false }
        requester.want()
        requester.noteSent(at: time)
        keyFrameBegan = nil
        return true
    }

    private func stallLimit(_ roundTrip: Interval) -> Interval {
        min(max(Self.shortestStall, roundTrip * 3 + .milliseconds(100)), Self.longestStall)
    }
}
