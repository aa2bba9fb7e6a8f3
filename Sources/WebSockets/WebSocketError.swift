import Glibc

/// Why a WebSocket server cannot start or a client cannot connect.
package enum WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
    // Both.
    case system(code: Int32, operation: String)
    case certificate(String)
    // Server.
    case addressInUse(address: String, port: UInt16)
    case badAddress(String)
    // Client.
    case badURL(String)
    case nameNotFound(host: String)
    case nameServerUnreachable(host: String)
    case unreachable(String)
    case timedOut(String)
    /// The server's certificate is not yet valid: most often our clock is wrong.
    case certificateNotYetValid
    case certificateExpired
    case certificateForAnotherHost
    case certificateUntrusted(String)
    case certificatePinMismatch
    /// The server answered, but not with a WebSocket.
    case handshakeRefused(String)

    package var description: String {
        switch self {
        case .system(let code, let operation): "cannot \(operation): \(systemText(code))"
        case .certificate(let text): text
        case .addressInUse(let address, let port): "port \(port) of \(address) is in use by another program"
        case .badAddress(let address): "\(address) is no address of this machine"
        case .badURL(let reason): "the address is wrong: \(reason)"
        case .nameNotFound(let host): "the name \(host) does not exist"
        case .nameServerUnreachable(let host): "the name \(host) cannot be looked up now"
        case .unreachable(let reason): "cannot connect: \(reason)"
        case .timedOut(let step): "timed out: \(step)"
        case .certificateNotYetValid: "the server's certificate is not yet valid: is the clock right?"
        case .certificateExpired: "the server's certificate has expired"
        case .certificateForAnotherHost: "the server's certificate is for another host"
        case .certificateUntrusted(let reason): "the server's certificate is not trusted: \(reason)"
        case .certificatePinMismatch: "the server's certificate does not have the pinned fingerprint"
        case .handshakeRefused(let reason): "the server does not answer as a WebSocket: \(reason)"
        }
    }
}

/// The system's words for an `errno` value.
func systemText(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
}

extension String {
    /// Whether it is an IPv4 or IPv6 address.
    var isIPAddress: Bool {
        var buffer = in6_addr()
        return inet_pton(AF_INET, self, &buffer) == 1 || inet_pton(AF_INET6, self, &buffer) == 1
    }
}
