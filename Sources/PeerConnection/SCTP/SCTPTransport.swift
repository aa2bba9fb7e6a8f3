import CNetworkShims
import MediaTypes
import Realtime
import SDP
import Telemetry

/// The data channels of one connection: SCTP by usrsctp inside DTLS, channels opened in band.
///
/// - Thread: `cb-net` only. usrsctp calls back while it holds its locks, so every event is handled after it returned.
/// - Errors: network input that makes no sense is counted and dropped.
/// - Source: RFC 8831, RFC 8832, RFC 8261.
final class SCTPTransport {
    enum Event {
        case channelOpened(label: String)
        case channelClosed(label: String)
        case text(label: String, String)
        case binary(label: String, [UInt8])
        /// The association is gone, and all channels with it.
        case ended
    }

    private enum Input {
        case up
        case down
        case reset(UInt16)
        case part(stream: UInt16, protocol: UInt32, bytes: [UInt8], isEnd: Bool)
    }

    private struct Outgoing {
        var stream: UInt16
        var kind: UInt32
        var bytes: [UInt8]
    }

    /// Payload protocol identifiers of RFC 8831 §8.
    private enum PayloadProtocol {
        static let control: UInt32 = 50
        static let text: UInt32 = 51
        static let binary: UInt32 = 53
        static let emptyText: UInt32 = 56
        static let emptyBinary: UInt32 = 57
    }

    /// Largest message that is taken and announced (`a=max-message-size`).
    static let maximumMessageByteCount = DataChannelTransport.maxMessageSize
    /// Largest message that is sent: usrsctp takes a message whole or not at all.
    private static let largestSentByteCount = 262_144
    /// Most bytes that wait to be sent, in usrsctp and here together, before `send` refuses.
    static let bufferedByteLimit = 1_048_576
    private static let librarySendBufferByteCount = 524_288
    /// One SCTP packet and what DTLS adds to it (13 + 8 + 16 bytes) are a datagram of at most 1200 bytes.
    private static let mtu: Int32 = 1_160
    private static let streamCount: Int32 = 256
    private static let channelLimit = 64
    private static let tickWhenBusy = Interval.milliseconds(20)
    private static let tickWhenIdle = Interval.milliseconds(200)
    private static let droppedInput = Counter("sctp.dropped.malformed")

    private(set) var isUp = false
    private(set) var channels: [UInt16: DataChannel] = [:]
    private let loop: NetworkLoop
    private let role: DTLSRole
    private let remoteMaximumMessageByteCount: Int
    private let onPacket: (UnsafeRawBufferPointer) -> Void
    private var onEvent: ((Event) -> Void)?
    private var identifier: UInt = 0
    private var sctp: OpaquePointer?
    private var timer: NetworkTimer?
    private var busyUntil = MonotonicTime.zero
    private var inputs: [Input] = []
    private var wanted: [(label: String, subprotocol: String)] = []
    private var outgoing: [Outgoing] = []
    private var outgoingByteCount = 0
    private var assembling: [UInt16: [UInt8]] = [:]

    /// Starts to connect; both sides do, and the two INITs become one association.
    /// - Parameters:
    ///   - remoteMaximumMessageByteCount: what the far side announced.
    ///   - onPacket: called with each SCTP packet, which goes into DTLS; must not call back into this object.
    init(
        loop: NetworkLoop, role: DTLSRole, remotePort: UInt16 = DataChannelTransport.port,
        remoteMaximumMessageByteCount: Int, onPacket: @escaping (UnsafeRawBufferPointer) -> Void,
        onEvent: @escaping (Event) -> Void
    ) {
        self.loop = loop
        self.role = role
        self.remoteMaximumMessageByteCount = min(remoteMaximumMessageByteCount, SCTPTransport.largestSentByteCount)
        self.onPacket = onPacket
        self.onEvent = onEvent
        identifier = SCTPLibrary.add(self, on: loop)
        var events = ccb_sctp_events(received: sctpReceived, event: sctpEvent)
        sctp = ccb_sctp_open(
            identifier, Int32(DataChannelTransport.port), Int32(remotePort), SCTPTransport.mtu,
            SCTPTransport.streamCount,
            Int32(SCTPTransport.librarySendBufferByteCount), &events)
        if sctp == nil { Log.error("data", "usrsctp cannot open an association") }
        timer = loop.makeTimer { [unowned self] in self.tick() }
        touch()
    }

    deinit {
        precondition(sctp == nil, "an SCTP transport is closed before it is released")
    }

    /// Opens a channel, now or as soon as the association is up.
    func openChannel(label: String, subprotocol: String = "") {
        guard isUp else {
            if wanted.count < SCTPTransport.channelLimit { wanted.append((label, subprotocol)) }
            return
        }
        // RFC 8832 §6: the DTLS client takes even streams, the server odd ones.
        var stream: UInt16 = role == .client ? 0 : 1
        while channels[stream] != nil { stream += 2 }
        guard Int32(stream) < SCTPTransport.streamCount, channels.count < SCTPTransport.channelLimit else { return }
        channels[stream] = DataChannel(label: label, subprotocol: subprotocol, stream: stream, state: .connecting)
        let open = DataChannelMessage.open(label: label, subprotocol: subprotocol, isOrderedAndReliable: true)
        enqueue(open.bytes, on: stream, PayloadProtocol.control)
    }

    /// Sends text on the channel of that label; nil: on the first open one.
    /// - Returns: false when there is no such channel, the message is too large, or too much is waiting.
    func send(_ text: String, label: String?) -> Bool {
        send(Array(text.utf8), label: label, PayloadProtocol.text, empty: PayloadProtocol.emptyText)
    }

    /// Sends binary data; as text.
    func send(_ bytes: [UInt8], label: String?) -> Bool {
        send(bytes, label: label, PayloadProtocol.binary, empty: PayloadProtocol.emptyBinary)
    }

    /// Takes one SCTP packet out of DTLS.
    func receive(_ packet: UnsafeRawBufferPointer) {
        guard sctp != nil, let base = packet.baseAddress else { return }
        touch()
        ccb_sctp_input(identifier, base, packet.count)
        flush()
    }

    /// Ends the association (ABORT) and every channel.
    func close() {
        guard let sctp else { return }
        // The ABORT leaves inside this call.
        ccb_sctp_close(sctp)
        self.sctp = nil
        SCTPLibrary.remove(identifier)
        timer?.cancel()
        onEvent = nil
        inputs = []
        outgoing = []
        isUp = false
    }

    func sendPacket(_ packet: UnsafeRawBufferPointer) {
        guard sctp != nil else { return }
        onPacket(packet)
    }

    private func send(_ bytes: [UInt8], label: String?, _ kind: UInt32, empty: UInt32) -> Bool {
        let candidates = channels.values.filter { $0.state != .closing && (label == nil || $0.label == label) }
        guard let channel = candidates.min(by: { $0.stream < $1.stream }), bytes.count <= remoteMaximumMessageByteCount,
            outgoingByteCount + bytes.count <= SCTPTransport.bufferedByteLimit
        else { return false }
        // SCTP has no empty messages: one byte stands for nothing (RFC 8831 §6.6).
        enqueue(bytes.isEmpty ? [0] : bytes, on: channel.stream, bytes.isEmpty ? empty : kind)
        return true
    }

    private func enqueue(_ bytes: [UInt8], on stream: UInt16, _ kind: UInt32) {
        outgoing.append(Outgoing(stream: stream, kind: kind, bytes: bytes))
        outgoingByteCount += bytes.count
        touch()
        flush()
    }

    /// Hands usrsctp what it has room for.
    private func flush() {
        guard let sctp, isUp else { return }
        var sent = 0
        for message in outgoing {
            let result = message.bytes.withUnsafeBytes {
                ccb_sctp_send(sctp, message.stream, message.kind, $0.baseAddress, $0.count)
            }
            if result == 1 { break }
            if result < 0 { Log.debug("data", "usrsctp refuses a message (\(-result))") }
            sent += 1
            outgoingByteCount -= message.bytes.count
        }
        outgoing.removeFirst(sent)
    }

    private func touch() {
        let now = MonotonicClock.now()
        busyUntil = now + .seconds(2)
        guard let timer else { return }
        if timer.deadline > now + SCTPTransport.tickWhenBusy { timer.set(now + SCTPTransport.tickWhenBusy) }
    }

    private func tick() {
        let now = MonotonicClock.now()
        SCTPLibrary.advance(to: now)
        flush()
        let isBusy = now < busyUntil || !outgoing.isEmpty || !isUp
        timer?.set(now + (isBusy ? SCTPTransport.tickWhenBusy : SCTPTransport.tickWhenIdle))
    }

    // MARK: What the far side sends

    fileprivate func note(_ event: Int32, stream: UInt16) {
        switch UInt32(event) {
        case CCB_SCTP_UP.rawValue: take(.up)
        case CCB_SCTP_STREAM_RESET.rawValue: take(.reset(stream))
        default: take(.down)
        }
    }

    fileprivate func notePart(stream: UInt16, kind: UInt32, bytes: [UInt8], isEnd: Bool) {
        take(.part(stream: stream, protocol: kind, bytes: bytes, isEnd: isEnd))
    }

    private func take(_ input: Input) {
        guard sctp != nil else { return }
        inputs.append(input)
        guard inputs.count == 1 else { return }
        loop.later { self.handleInputs() }
    }

    private func handleInputs() {
        let inputs = inputs
        self.inputs = []
        for input in inputs where sctp != nil {
            switch input {
            case .up: connected()
            case .down: disconnected()
            case .reset(let stream): closed(stream)
            case .part(let stream, let kind, let bytes, let isEnd): assemble(stream, kind, bytes, isEnd: isEnd)
            }
        }
    }

    private func connected() {
        isUp = true
        let wanted = wanted
        self.wanted = []
        for channel in wanted { openChannel(label: channel.label, subprotocol: channel.subprotocol) }
        flush()
    }

    private func disconnected() {
        isUp = false
        for channel in channels.values { onEvent?(.channelClosed(label: channel.label)) }
        channels = [:]
        onEvent?(.ended)
    }

    private func closed(_ stream: UInt16) {
        guard let channel = channels.removeValue(forKey: stream) else { return }
        assembling[stream] = nil
        // RFC 8831 §6.7: the other direction is reset in answer.
        if channel.state != .closing, let sctp { ccb_sctp_reset_stream(sctp, stream) }
        onEvent?(.channelClosed(label: channel.label))
    }

    private func assemble(_ stream: UInt16, _ kind: UInt32, _ bytes: [UInt8], isEnd: Bool) {
        var message = bytes
        if let beginning = assembling.removeValue(forKey: stream) { message = beginning + bytes }
        guard message.count <= SCTPTransport.maximumMessageByteCount else {
            SCTPTransport.droppedInput.increment()
            return
        }
        if isEnd {
            handle(message, on: stream, kind)
        } else if assembling.count < SCTPTransport.channelLimit {
            assembling[stream] = message
        }
    }

    private func handle(_ message: [UInt8], on stream: UInt16, _ kind: UInt32) {
        if kind == PayloadProtocol.control {
            message.withUnsafeBytes { handleControl($0, on: stream) }
            return
        }
        guard let channel = channels[stream] else {
            SCTPTransport.droppedInput.increment()
            return
        }
        // Data implies that our offer of the channel arrived, even if its confirmation is still to come.
        if channel.state == .connecting { opened(stream) }
        switch kind {
        case PayloadProtocol.text: onEvent?(.text(label: channel.label, String(decoding: message, as: UTF8.self)))
        case PayloadProtocol.binary: onEvent?(.binary(label: channel.label, message))
        case PayloadProtocol.emptyText: onEvent?(.text(label: channel.label, ""))
        case PayloadProtocol.emptyBinary: onEvent?(.binary(label: channel.label, []))
        default: SCTPTransport.droppedInput.increment()
        }
    }

    private func handleControl(_ bytes: UnsafeRawBufferPointer, on stream: UInt16) {
        switch DataChannelMessage(bytes) {
        case .acknowledge: opened(stream)
        case .open(let label, let subprotocol, _):
            guard channels[stream] == nil, channels.count < SCTPTransport.channelLimit else {
                SCTPTransport.droppedInput.increment()
                return
            }
            channels[stream] = DataChannel(label: label, subprotocol: subprotocol, stream: stream, state: .open)
            enqueue(DataChannelMessage.acknowledge.bytes, on: stream, PayloadProtocol.control)
            onEvent?(.channelOpened(label: label))
        case nil: SCTPTransport.droppedInput.increment()
        }
    }

    private func opened(_ stream: UInt16) {
        guard let channel = channels[stream], channel.state == .connecting else { return }
        channels[stream]?.state = .open
        onEvent?(.channelOpened(label: channel.label))
    }
}

private func sctpReceived(
    _ identifier: UInt, _ stream: UInt16, _ kind: UInt32, _ bytes: UnsafeRawPointer?, _ count: Int, _ isEnd: Int32
) {
    guard let entry = SCTPLibrary.entry(identifier), let bytes else { return }
    let part = Array(UnsafeRawBufferPointer(start: bytes, count: count))
    if entry.loop.isCurrent {
        entry.transport.notePart(stream: stream, kind: kind, bytes: part, isEnd: isEnd != 0)
    } else {
        entry.loop.post { entry.transport.notePart(stream: stream, kind: kind, bytes: part, isEnd: isEnd != 0) }
    }
}

private func sctpEvent(_ identifier: UInt, _ event: Int32, _ stream: UInt16) {
    guard let entry = SCTPLibrary.entry(identifier) else { return }
    if entry.loop.isCurrent {
        entry.transport.note(event, stream: stream)
    } else {
        entry.loop.post { entry.transport.note(event, stream: stream) }
    }
}
