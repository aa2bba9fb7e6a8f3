import Glibc
import MediaTypes
import Realtime
import Synchronization

/// Looks up a host's addresses with the system's resolver.
///
/// The resolver blocks for as long as it likes and cannot be stopped, so it gets a thread of its own that nobody waits
/// for longer than needed: it is the one thread here that is not joined. It touches nothing but its own `Request`, which
/// it keeps alive.
enum NameLookup {
    struct Address: Equatable, Sendable {
        var text: String
        var isIPv6: Bool
    }

    /// Look-ups that were given up and still run; more would only wait for the same name server.
    private static let mostRunning = 16
    private static let running = Atomic<Int>(0)

    private final class Request: Sendable {
        let host: String
        let answered: EventSignal
        let answer = Mutex<Result<[Address], WebSocketError>?>(nil)

        init(host: String) throws(SystemError) {
            self.host = host
            answered = try EventSignal()
        }

        static func run(_ context: UnsafeMutableRawPointer) {
            let request = Unmanaged<Request>.fromOpaque(context).takeRetainedValue()
            let answer = Result { () throws(WebSocketError) in try resolve(request.host, flags: 0) }
            request.answer.withLock { $0 = answer }
            request.answered.signal()
            NameLookup.running.subtract(1, ordering: .relaxed)
        }
    }

    /// - Parameter isGivenUp: asked a few times a second.
    /// - Thread: one that may block, up to the given time.
    static func addresses(
        of host: String, within timeout: Interval, isGivenUp: () -> Bool
    ) throws(WebSocketError) -> [Address] {
        if host.isIPAddress { return try resolve(host, flags: AI_NUMERICHOST) }
        let request: Request
        do {
            request = try Request(host: host)
        } catch {
            throw .system(code: error.code, operation: error.operation.description)
        }
        try start(request)
        let deadline = MonotonicClock.now() + timeout
        while !request.answered.wait(timeoutMilliseconds: 100) {
            if isGivenUp() { throw .timedOut("given up during the name look-up") }
            if MonotonicClock.now() >= deadline { throw .nameServerUnreachable(host: host) }
        }
        guard let answer = request.answer.withLock({ $0 }) else { throw .nameServerUnreachable(host: host) }
        return try answer.get()
    }

    private static func start(_ request: Request) throws(WebSocketError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // The resolver and its plug-ins keep kilobytes of answers on the stack.
        pthread_attr_setstacksize(&attributes, 512 * 1024)
        guard running.add(1, ordering: .relaxed).newValue <= mostRunning else {
            running.subtract(1, ordering: .relaxed)
            throw .nameServerUnreachable(host: request.host)
        }
        let context = Unmanaged.passRetained(request)
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, lookUpEntry, context.toOpaque())
        guard result != 0 else { return }
        context.release()
        running.subtract(1, ordering: .relaxed)
        throw .system(code: result, operation: "start a thread for a name look-up")
    }

    private static func resolve(_ host: String, flags: Int32) throws(WebSocketError) -> [Address] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        switch result {
        case 0: break
        case EAI_AGAIN, EAI_SYSTEM, EAI_FAIL, EAI_MEMORY: throw .nameServerUnreachable(host: host)
        default: throw .nameNotFound(host: host)
        }
        var addresses: [Address] = []
        var next = list
        while let entry = next?.pointee {
            if let address = numeric(entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw .nameNotFound(host: host) }
        return addresses
    }

    private static func numeric(_ entry: addrinfo) -> Address? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let result = getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard result == 0 else { return nil }
        let end = text.firstIndex(of: 0) ?? text.endIndex
        return Address(
            text: String(decoding: text[..<end].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self),
            isIPv6: entry.ai_family == AF_INET6)
    }

    fileprivate static func enter(_ context: UnsafeMutableRawPointer) {
        Request.run(context)
    }
}

private func lookUpEntry(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { NameLookup.enter(context) }
    return nil
}
