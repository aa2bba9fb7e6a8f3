import COpenSSL
import CWebSocketShims
import Glibc
import MediaTypes
import Realtime

/// The part of a `WebSocketClient` that lives on its thread: look-up, one attempt per address, then the open connection.
///
/// - Thread: `cb-signal` only.
final class ClientLoop {
    struct Start: Sendable {
        var configuration: WebSocketClientConfiguration
        var handler: any WebSocketClientHandler
        var inbox: ClientInbox
        var waker: LoopWaker
    }

    private enum Phase {
        case connecting
        case open
        case over
    }

    private static let closeTimeout = Interval.milliseconds(300)
    /// A name server that says nothing for so long is away.
    private static let lookupTimeout = Interval.seconds(5)
    /// The same when there is an address to go on with.
    private static let shortLookupTimeout = Interval.seconds(1)
    /// While there are more addresses, one that swallows packets gets no more than this.
    private static let longestShare = Interval.seconds(3)

    private let configuration: WebSocketClientConfiguration
    private let handler: any WebSocketClientHandler
    private let inbox: ClientInbox
    private let waker: LoopWaker
    private var phase = Phase.connecting
    private var context: OpaquePointer?
    private var tls: OpaquePointer?
    private var wsi: OpaquePointer?
    private var deadline = MonotonicTime.distantFuture
    private var failure: WebSocketError?
    private var address: NameLookup.Address?
    /// Why the last good address had to do.
    private var lookupFailure: WebSocketError?
    private var incoming: IncomingMessage
    private var outgoing: OutgoingQueue
    private var closeCode: UInt16?
    /// When a server that does not answer the closing handshake is left alone.
    private var closeDeadline = MonotonicTime.distantFuture
    private var closedByPeer: (code: UInt16, reason: String)?
    private var lastHeard = MonotonicTime.zero
    /// Where OpenSSL's verification leaves its verdict; outlives the TLS context.
    private let check: UnsafeMutablePointer<ccb_tls_check>

    init(_ start: Start) {
        configuration = start.configuration
        handler = start.handler
        inbox = start.inbox
        waker = start.waker
        incoming = IncomingMessage(maximumBytes: configuration.maximumMessageBytes)
        outgoing = OutgoingQueue(maximumBytes: configuration.maximumQueueBytes)
        check = .allocate(capacity: 1)
        check.initialize(to: ccb_tls_check())
    }

    deinit {
        check.deallocate()
    }

    /// The thread's body: returns when the connection is over, one way or the other. It is told to end by the inbox;
    /// the flag is set when nothing is left to do, and hears that it turns.
    func run(turning flag: StopFlag) {
        do {
            try connect(flag)
        } catch {
            handler.failed(error)
        }
    }

    /// What the name server says, the address that answered last first; that one alone when the name server is away.
    private func addresses(_ flag: StopFlag) throws(WebSocketError) -> [NameLookup.Address] {
        let inbox = inbox
        let host = configuration.url.host
        let lastGood = configuration.names?.lastGood(for: host)
        let limit = min(
            lastGood == nil ? Self.lookupTimeout : Self.shortLookupTimeout,
            .seconds(Int64(configuration.connectSeconds)))
        do {
            let found = try NameLookup.addresses(of: host, within: limit) { flag.isSet || inbox.closeCode != nil }
            guard let lastGood else { return found }
            // It may have moved, and the name server may not know it yet.
            return found.contains(lastGood) ? [lastGood] + found.filter { $0 != lastGood } : found + [lastGood]
        } catch {
            guard let lastGood, inbox.closeCode == nil else { throw error }
            lookupFailure = error
            return [lastGood]
        }
    }

    private func connect(_ flag: StopFlag) throws(WebSocketError) {
        let addresses = try addresses(flag)
        tls = try makeTLS()
        defer {
            SSL_CTX_free(tls)
            tls = nil
        }
        let end = MonotonicClock.now() + .seconds(Int64(configuration.connectSeconds))
        var last: WebSocketError?
        for (index, address) in addresses.enumerated() {
            let now = MonotonicClock.now()
            guard now < end, inbox.closeCode == nil else { break }
            // One which swallows packets must not use up the time of the others.
            let isLast = index == addresses.count - 1
            deadline = now + (isLast ? end - now : min(Self.longestShare, (end - now) / 2))
            self.address = address
            attempt(address, flag)
            if phase == .over { return }
            last = failure
        }
        if inbox.closeCode != nil { throw .timedOut("given up before the connection was open") }
        throw lookupFailure ?? last ?? .timedOut("no answer")
    }

    private func makeTLS() throws(WebSocketError) -> OpaquePointer? {
        guard configuration.url.isSecure else { return nil }
        var file: String?
        switch configuration.trust {
        case .system: setIPv6Host()
        case .authorities(let path):
            file = path
            setIPv6Host()
        case .pinned(let text):
            guard let bytes = TLSFingerprint.bytes(of: text) else {
                throw .certificate("a pinned fingerprint is 32 bytes in hexadecimal")
            }
            check.pointee.is_pinned = 1
            withUnsafeMutableBytes(of: &check.pointee.fingerprint) { $0.copyBytes(from: bytes) }
        }
        guard let tls = ccb_tls_client_context(check, file) else {
            throw .certificate("\(file ?? "the system's certificates"): cannot be read")
        }
        return tls
    }

    /// libwebsockets takes an IPv6 host for a name that ends at its first colon.
    private func setIPv6Host() {
        guard configuration.url.host.contains(":") else { return }
        withUnsafeMutableBytes(of: &check.pointee.ipv6) { bytes in
            let text = configuration.url.host.utf8.prefix(bytes.count - 1)
            bytes.copyBytes(from: text)
        }
    }

    /// Runs one connection to its end. Afterwards it is `over`, or `failure` says why it never opened.
    private func attempt(_ address: NameLookup.Address, _ flag: StopFlag) {
        failure = nil
        check.pointee.problem = 0
        var settings = ccb_ws_settings()
        settings.callback = clientCallback
        settings.user = Unmanaged.passUnretained(self).toOpaque()
        settings.descriptor_limit = 8
        // Ours come first: they know what they say.
        settings.handshake_seconds = UInt32(configuration.connectSeconds + 5)
        settings.ping_seconds = configuration.pingSeconds
        settings.silence_seconds = configuration.silenceSeconds
        // A kernel without IPv6 must still reach an IPv4 address.
        settings.uses_ipv6 = address.isIPv6 ? 1 : 0
        settings.client_tls = tls
        var wakeDescriptor: Int32 = -1
        let context = configuration.subprotocol.withCString {
            settings.subprotocol = $0
            return ccb_ws_context_create(&settings, &wakeDescriptor)
        }
        guard let context else {
            failure = .system(code: ENOMEM, operation: "make a WebSocket client")
            return
        }
        self.context = context
        waker.attach(context)
        let timer = ccb_ws_timer_start(context, 250_000, clientTick, Unmanaged.passUnretained(self).toOpaque())
        let url = configuration.url
        // The library cuts the port off when it checks the certificate; a name server never sees the host again.
        let first = ccb_ws_connect(
            context, address.text, Int32(url.port), url.authority, url.path, configuration.subprotocol,
            url.isSecure ? 1 : 0)
        if first == nil && failure == nil { failure = .unreachable("refused by the library") }
        while !flag.isSet, failure == nil && phase != .over, lws_service(context, 0) >= 0 {}
        let isOver = phase == .over
        ccb_ws_timer_stop(timer)
        waker.detach()
        wsi = nil
        self.context = nil
        // Callbacks of the destruction find nothing to do.
        phase = .over
        ccb_ws_context_destroy(context, wakeDescriptor)
        if !isOver { phase = .connecting }
    }

    fileprivate func tick() {
        let now = MonotonicClock.now()
        switch phase {
        case .connecting:
            if now >= deadline {
                fail(.timedOut("no answer from the server"))
            } else if inbox.closeCode != nil {
                fail(.timedOut("given up before the connection was open"))
            }
        case .open:
            handler.ticked(at: now)
            drainInbox()
            if now >= closeDeadline { close() }
        case .over: break
        }
    }

    private func fail(_ error: WebSocketError) {
        if failure == nil { failure = error }
    }

    /// One of libwebsockets' callbacks. Non-zero closes the connection.
    fileprivate func handle(
        _ reason: lws_callback_reasons, _ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
        guard phase != .over else { return 0 }
        switch reason {
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
            let text = input.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: count), as: UTF8.self) }
            if phase == .connecting { fail(connectionError(text ?? "")) }
        case LWS_CALLBACK_CLIENT_ESTABLISHED:
            guard failure == nil else { return -1 }
            self.wsi = wsi
            phase = .open
            lastHeard = MonotonicClock.now()
            if let tls { ccb_tls_forget_authorities(tls) }
            if let address { configuration.names?.remember(address, for: configuration.url.host) }
            ccb_ws_repeat_soon(wsi)
            handler.opened(at: lastHeard)
            drainInbox()
        case LWS_CALLBACK_CLIENT_RECEIVE:
            return receive(wsi, input, count)
        case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
            lastHeard = MonotonicClock.now()
        case LWS_CALLBACK_CLIENT_WRITEABLE:
            return write(wsi)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            let bytes = UnsafeRawBufferPointer(start: input, count: count)
            closedByPeer =
                count < 2
                ? (1005, "")
                : (UInt16(bytes[0]) << 8 | UInt16(bytes[1]), String(decoding: bytes.dropFirst(2), as: UTF8.self))
        case LWS_CALLBACK_CLIENT_CLOSED:
            if wsi == self.wsi { close() }
        case LWS_CALLBACK_WSI_DESTROY:
            if wsi == self.wsi { close() } else if phase == .connecting { fail(.unreachable("closed")) }
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            if phase == .open { drainInbox() } else { tick() }
        default: break
        }
        return 0
    }

    private func receive(_ wsi: OpaquePointer, _ input: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        lastHeard = MonotonicClock.now()
        guard closeCode == nil else { return 0 }
        switch incoming.append(input, count: count, of: wsi) {
        case .more: break
        case .complete:
            incoming.bytes.withUnsafeBytes { handler.received($0, at: lastHeard) }
            incoming.reset()
            drainInbox()
        case .refused(let code, let reason):
            closeCode = UInt16(code)
            closeDeadline = lastHeard + Self.closeTimeout
            reason.withUTF8Buffer { text in
                text.withMemoryRebound(to: CChar.self) { ccb_ws_close_reason(wsi, code, $0.baseAddress) }
            }
            return -1
        }
        return 0
    }

    private func write(_ wsi: OpaquePointer) -> Int32 {
        guard outgoing.writeFirst(to: wsi) else { return -1 }
        if !outgoing.isEmpty {
            lws_callback_on_writable(wsi)
        } else if let closeCode {
            ccb_ws_close_reason(wsi, UInt32(closeCode), "")
            return -1
        }
        return 0
    }

    private func drainInbox() {
        guard let wsi, closeCode == nil else { return }
        for text in inbox.take() where !outgoing.append(text) {
            // The server does not read; it would not read a closing handshake either.
            outgoing.removeAll()
            ccb_ws_kill(wsi)
            return
        }
        closeCode = inbox.closeCode
        if closeCode != nil { closeDeadline = MonotonicClock.now() + Self.closeTimeout }
        if !outgoing.isEmpty || closeCode != nil { lws_callback_on_writable(wsi) }
    }

    private func close() {
        guard phase == .open else { return }
        phase = .over
        if let closeCode {
            handler.closed(.byUs(code: closeCode))
        } else if let closedByPeer {
            handler.closed(.byPeer(code: closedByPeer.code, reason: closedByPeer.reason))
        } else if MonotonicClock.now() - lastHeard >= .seconds(Int64(configuration.silenceSeconds) - 1) {
            handler.closed(.silent)
        } else {
            handler.closed(.lost)
        }
    }

    private func connectionError(_ text: String) -> WebSocketError {
        switch check.pointee.problem {
        case 0: break
        case -1: return .certificatePinMismatch
        case X509_V_ERR_CERT_NOT_YET_VALID: return .certificateNotYetValid
        case X509_V_ERR_CERT_HAS_EXPIRED: return .certificateExpired
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return .certificateForAnotherHost
        case let problem:
            return .certificateUntrusted(String(cString: X509_verify_cert_error_string(Int(problem))))
        }
        if text.hasPrefix("HS: ") || text.contains("HTTP") || text.contains("ws upgrade") {
            return .handshakeRefused(text)
        }
        if text.lowercased().contains("timed out") || text.lowercased().contains("timeout") {
            return .timedOut("no answer from the server")
        }
        return .unreachable(text.isEmpty ? "closed by the server" : text)
    }
}

private func clientCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let loop = lws_context_user(context) else { return 0 }
    return Unmanaged<ClientLoop>.fromOpaque(loop).takeUnretainedValue().handle(reason, wsi, input, count)
}

private func clientTick(_ loop: UnsafeMutableRawPointer?) {
    guard let loop else { return }
    Unmanaged<ClientLoop>.fromOpaque(loop).takeUnretainedValue().tick()
}
