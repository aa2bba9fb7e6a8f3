import CWebSocketShims
import Glibc
import MediaTypes
import Realtime
import Telemetry

/// The part of a `WebSocketServer` that lives on its thread: libwebsockets' callbacks in, handler calls out.
///
/// - Thread: made by `start`, then `cb-lobby` only.
final class ServerLoop {
    struct Start {
        var configuration: WebSocketServerConfiguration
        var handler: any WebSocketServerHandler
        var identity: TLSIdentity?
        var listeners: [Int32]
        var inbox: ServerInbox
        var waker: LoopWaker
    }

    let configuration: WebSocketServerConfiguration
    private let handler: any WebSocketServerHandler
    private let identity: TLSIdentity?
    private let inbox: ServerInbox
    private let waker: LoopWaker
    private var context: OpaquePointer?
    private var wakeDescriptor: Int32 = -1
    private var listeners: [OpaquePointer: Int32] = [:]
    private var peers: [OpaquePointer: ServerPeer] = [:]
    private var connections: [WebSocketID: OpaquePointer] = [:]
    private var lastID: UInt64 = 0
    private var isStopping = false
    private let refused = Counter("lobby.connections.refused")
    private let broken = Counter("lobby.connections.broken")

    /// Nil: no memory or descriptors; the listening sockets are still the caller's.
    init?(_ start: Start) {
        configuration = start.configuration
        handler = start.handler
        identity = start.identity
        inbox = start.inbox
        waker = start.waker
        var settings = ccb_ws_settings()
        settings.callback = serverCallback
        settings.user = Unmanaged.passUnretained(self).toOpaque()
        // Connections, listeners, and what the library needs for itself.
        settings.descriptor_limit = UInt32(configuration.maximumConnections + 8)
        settings.handshake_seconds = configuration.handshakeSeconds
        settings.ping_seconds = configuration.pingSeconds
        settings.silence_seconds = configuration.silenceSeconds
        settings.is_server = 1
        settings.uses_ipv6 = 1
        settings.serves_tls = identity == nil ? 0 : 1
        context = configuration.subprotocol.withCString {
            settings.subprotocol = $0
            return ccb_ws_context_create(&settings, &wakeDescriptor)
        }
        guard let context else { return nil }
        for descriptor in start.listeners {
            guard let listener = ccb_ws_adopt_listener(context, descriptor) else {
                // Those that were adopted are closed with the context; the caller must not close them again.
                precondition(listeners.isEmpty, "a second listener is refused after the first was taken")
                ccb_ws_context_destroy(context, wakeDescriptor)
                return nil
            }
            listeners[listener] = descriptor
        }
        waker.attach(context)
    }

    /// The thread's body.
    func run(until stop: StopFlag) {
        guard let context else { return }
        let timer = ccb_ws_timer_start(context, 1_000_000, serverTick, Unmanaged.passUnretained(self).toOpaque())
        while !stop.isSet, lws_service(context, 0) >= 0 {}
        ccb_ws_timer_stop(timer)
        sayGoodbye(context)
        destroy()
    }

    /// Closes everything that is left; no handler call comes after it.
    func destroy() {
        guard let context else { return }
        waker.detach()
        ccb_ws_context_destroy(context, wakeDescriptor)
        self.context = nil
    }

    /// Gives the closing handshakes half a second.
    private func sayGoodbye(_ context: OpaquePointer) {
        isStopping = true
        for wsi in Array(connections.values) { close(wsi, code: 1001, reason: "the server stops") }
        let deadline = MonotonicClock.now() + .milliseconds(500)
        let timer = ccb_ws_timer_start(context, 50_000, ignoreTick, nil)
        while !connections.isEmpty, MonotonicClock.now() < deadline, lws_service(context, 0) >= 0 {}
        ccb_ws_timer_stop(timer)
    }

    fileprivate func tick() {
        handler.ticked(at: MonotonicClock.now())
        drainInbox()
    }

    /// One of libwebsockets' callbacks. Non-zero closes the connection.
    fileprivate func handle(
        _ reason: lws_callback_reasons, _ wsi: OpaquePointer, _ user: UnsafeMutableRawPointer?,
        _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
            guard let user, let identity else { return 1 }
            return identity.install(into: OpaquePointer(user)) ? 0 : 1
        case LWS_CALLBACK_RAW_RX_FILE:
            acceptWaiting(wsi)
        case LWS_CALLBACK_RAW_RX, LWS_CALLBACK_RAW_CONNECTED, LWS_CALLBACK_RAW_ADOPT:
            // What is no HTTP must not become a raw connection.
            return -1
        case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
            drainInbox()
        case LWS_CALLBACK_WSI_DESTROY:
            forget(wsi)
        default:
            guard let peer = peers[wsi] else { return 0 }
            let result = handle(reason, wsi, peer, input, count)
            drainInbox()
            return result
        }
        return 0
    }

    private func handle(
        _ reason: lws_callback_reasons, _ wsi: OpaquePointer, _ peer: ServerPeer, _ input: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(wsi, to: input)
        case LWS_CALLBACK_HTTP: return answer(wsi, peer, path: input)
        case LWS_CALLBACK_HTTP_WRITEABLE: return continueTransfer(wsi, peer)
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
            // A client that names no subprotocol would get the first one of the library's table.
            let name = lws_get_protocol(wsi).map { String(cString: $0.pointee.name) }
            return name == configuration.subprotocol ? 0 : -1
        case LWS_CALLBACK_ESTABLISHED:
            lastID += 1
            let id = WebSocketID(lastID)
            peer.id = id
            peer.lastHeard = MonotonicClock.now()
            connections[id] = wsi
            ccb_ws_repeat_soon(wsi)
            handler.opened(id, at: peer.lastHeard)
        case LWS_CALLBACK_RECEIVE: return receive(wsi, peer, input, count)
        case LWS_CALLBACK_RECEIVE_PONG: peer.lastHeard = MonotonicClock.now()
        case LWS_CALLBACK_SERVER_WRITEABLE: return write(wsi, peer)
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
            let bytes = UnsafeRawBufferPointer(start: input, count: count)
            peer.closedByPeer =
                count < 2
                ? (1005, "")
                : (UInt16(bytes[0]) << 8 | UInt16(bytes[1]), String(decoding: bytes.dropFirst(2), as: UTF8.self))
        default: break
        }
        return 0
    }

    private func receive(
        _ wsi: OpaquePointer, _ peer: ServerPeer, _ input: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int32 {
        guard let id = peer.id, peer.closing == nil else { return 0 }
        peer.lastHeard = MonotonicClock.now()
        switch peer.incoming.append(input, count: count, of: wsi) {
        case .more: break
        case .complete:
            peer.incoming.bytes.withUnsafeBytes { handler.received($0, from: id, at: peer.lastHeard) }
            peer.incoming.reset()
        case .refused(let code, let reason):
            broken.increment()
            peer.closing = (UInt16(code), reason.description)
            reason.withUTF8Buffer { text in
                text.withMemoryRebound(to: CChar.self) { ccb_ws_close_reason(wsi, code, $0.baseAddress) }
            }
            return -1
        }
        return 0
    }

    private func write(_ wsi: OpaquePointer, _ peer: ServerPeer) -> Int32 {
        guard peer.outgoing.writeFirst(to: wsi) else { return -1 }
        if !peer.outgoing.isEmpty {
            lws_callback_on_writable(wsi)
        } else if let closing = peer.closing {
            ccb_ws_close_reason(wsi, UInt32(closing.code), closing.reason)
            return -1
        }
        return 0
    }

    private func close(_ wsi: OpaquePointer, code: UInt16, reason: String) {
        guard let peer = peers[wsi], peer.closing == nil else { return }
        peer.closing = (code, reason)
        lws_callback_on_writable(wsi)
    }

    private func drainInbox() {
        for command in inbox.take() {
            switch command {
            case .send(let text, let id):
                guard let wsi = connections[id], let peer = peers[wsi], peer.closing == nil else { continue }
                if peer.outgoing.append(text) {
                    lws_callback_on_writable(wsi)
                } else {
                    // It does not read; a closing handshake would wait behind the queue.
                    Log.info("lobby", "a client does not take its messages: closed")
                    broken.increment()
                    peer.outgoing.removeAll()
                    ccb_ws_kill(wsi)
                }
            case .close(let id, let code, let reason):
                if let wsi = connections[id] { close(wsi, code: code, reason: reason) }
            }
        }
    }

    private func forget(_ wsi: OpaquePointer) {
        guard let peer = peers.removeValue(forKey: wsi) else {
            listeners[wsi] = nil
            return
        }
        guard let id = peer.id, connections.removeValue(forKey: id) != nil else { return }
        let now = MonotonicClock.now()
        let closure: WebSocketClosure
        if let code = peer.closing?.code {
            closure = .byUs(code: code)
        } else if let byPeer = peer.closedByPeer {
            closure = .byPeer(code: byPeer.code, reason: byPeer.reason)
        } else if now - peer.lastHeard >= .seconds(Int64(configuration.silenceSeconds) - 1) {
            closure = .silent
        } else {
            closure = .lost
        }
        handler.closed(id, closure, at: now)
        drainInbox()
    }

    private func acceptWaiting(_ listener: OpaquePointer) {
        guard let context, let descriptor = listeners[listener] else { return }
        // Not for ever: the connections that are open want their turn.
        for _ in 0..<16 {
            var isLoopback: Int32 = 0
            var text = [CChar](repeating: 0, count: 64)
            let accepted = ccb_ws_accept(descriptor, &text, text.count, &isLoopback)
            guard accepted >= 0 else {
                // Out of descriptors: the connection keeps waiting, and so must we.
                if accepted == -EMFILE || accepted == -ENFILE || accepted == -ENOMEM { usleep(20_000) }
                return
            }
            let address = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }  // 64 characters long
            guard admits(address, isLoopback: isLoopback != 0) else {
                refused.increment()
                Glibc.close(accepted)
                continue
            }
            let peer = ServerPeer(address: address, configuration: configuration, at: MonotonicClock.now())
            if let wsi = ccb_ws_adopt_connection(context, accepted, identity == nil ? 0 : 1) { peers[wsi] = peer }
        }
    }

    private func admits(_ address: String, isLoopback: Bool) -> Bool {
        if isStopping || configuration.isLoopbackOnly && !isLoopback { return false }
        guard peers.count < configuration.maximumConnections else { return false }
        // On this machine one address is everybody.
        return isLoopback
            || peers.values.count(where: { $0.address == address }) < configuration.maximumConnectionsPerAddress
    }
}

private func serverCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
    _ input: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let loop = lws_context_user(context) else { return 0 }
    return Unmanaged<ServerLoop>.fromOpaque(loop).takeUnretainedValue().handle(reason, wsi, user, input, count)
}

private func serverTick(_ loop: UnsafeMutableRawPointer?) {
    guard let loop else { return }
    Unmanaged<ServerLoop>.fromOpaque(loop).takeUnretainedValue().tick()
}

/// Its only purpose is that the loop turns.
private func ignoreTick(_: UnsafeMutableRawPointer?) {}
