import CWebSocketShims
import Glibc

/// Opens the sockets that a server listens on.
enum ListeningSockets {
    struct Listener {
        var descriptor: Int32
        var port: UInt16
    }

    /// One socket for a given address or for every address; two, IPv4 and IPv6, for loopback ("localhost" may be either).
    static func open(
        address: String?, port: UInt16, isLoopbackOnly: Bool
    ) throws(WebSocketError) -> [Listener] {
        if let address {
            let family = address.contains(":") ? AF_INET6 : AF_INET
            if isLoopbackOnly && !(address.hasPrefix("127.") || address == "::1") { throw .badAddress(address) }
            return [try listen(family, address, port, isDual: false)]
        }
        if isLoopbackOnly { return try openLoopback(port) }
        do {
            return [try listen(AF_INET6, "::", port, isDual: true)]
        } catch .badAddress {
            // A kernel without IPv6.
            return [try listen(AF_INET, "0.0.0.0", port, isDual: false)]
        }
    }

    static func close(_ listeners: [Listener]) {
        for listener in listeners { _ = Glibc.close(listener.descriptor) }
    }

    private static func openLoopback(_ port: UInt16) throws(WebSocketError) -> [Listener] {
        // A port that the system chose for IPv4 may be taken for IPv6: then another one is tried.
        var last: WebSocketError?
        for _ in 0..<8 {
            let first = try listen(AF_INET, "127.0.0.1", port, isDual: false)
            do {
                return [first, try listen(AF_INET6, "::1", first.port, isDual: false)]
            } catch .badAddress {
                return [first]
            } catch {
                close([first])
                last = error
                if port != 0 { break }
            }
        }
        throw last ?? .addressInUse(address: "localhost", port: port)
    }

    private static func listen(
        _ family: Int32, _ address: String, _ port: UInt16, isDual: Bool
    ) throws(WebSocketError) -> Listener {
        var chosen = port
        let result = ccb_ws_listen(family, address, &chosen, isDual ? 1 : 0)
        switch -result {
        case ..<1: return Listener(descriptor: result, port: chosen)
        case EADDRINUSE: throw .addressInUse(address: address, port: port)
        case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL: throw .badAddress(address)
        default: throw .system(code: -result, operation: "listen")
        }
    }
}
