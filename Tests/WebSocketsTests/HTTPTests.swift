import Testing

@testable import WebSockets

private let big = [UInt8](repeating: 0x61, count: 50_000)

private func withFiles(_ body: (UInt16) async throws -> Void) async throws {
    try await withEchoServer({
        $0.files = [
            HTTPFile(path: "/", contentType: "text/html; charset=utf-8", text: "<p>ä</p>"),
            HTTPFile(path: "/big.js", contentType: "text/javascript", bytes: big),
            HTTPFile(path: "/empty", contentType: "text/plain", text: ""),
        ]
        $0.handshakeSeconds = 2
    }) { server, _ in try await body(server.port) }
}

private func request(_ port: UInt16, _ head: String, host: String? = nil) -> String {
    let raw = RawConnection(port: port)
    raw.send("\(head)\r\nHost: \(host ?? "localhost:\(port)")\r\nConnection: close\r\n\r\n")
    return String(decoding: raw.readToEnd(), as: UTF8.self)
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct HTTPTests {
    @Test func aFileComesWithItsTypeTagAndSecurityHeaders() async throws {
        try await withFiles { port in
            let answer = request(port, "GET / HTTP/1.1")
            let head = answer.lowercased()
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.hasSuffix("\r\n\r\n<p>ä</p>"))
            #expect(head.contains("content-type: text/html; charset=utf-8\r\n"))
            #expect(head.contains("content-length: 9\r\n"))
            #expect(head.contains("x-content-type-options: nosniff\r\n"))
            #expect(head.contains("content-security-policy: default-src 'none'; script-src 'self';"))
            #expect(head.contains("cache-control: no-cache\r\n"))
            #expect(head.contains("etag: \""))
            #expect(!head.contains("libwebsockets"))
        }
    }

    @Test func aBigFileComesWhole() async throws {
        try await withFiles { port in
            let answer = request(port, "GET /big.js HTTP/1.1")
            #expect(answer.hasSuffix("\r\n\r\n" + String(repeating: "a", count: big.count)))
            #expect(request(port, "GET /?room=a HTTP/1.1").hasSuffix("<p>ä</p>"))
            #expect(request(port, "GET /empty HTTP/1.1").lowercased().contains("content-length: 0\r\n"))
        }
    }

    @Test func oneConnectionBringsManyRequests() async throws {
        try await withFiles { port in
            let raw = RawConnection(port: port)
            for _ in 0..<5 {
                raw.send("GET / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                #expect(raw.read(until: "</p>").hasPrefix("HTTP/1.1 200"))
                raw.send("HEAD /big.js HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                let head = raw.read(until: "\r\n\r\n")
                #expect(head.lowercased().contains("content-length: 50000"))
                #expect(head.hasSuffix("\r\n\r\n"))
            }
        }
    }

    @Test func aKnownTagIsAnsweredWithoutTheFile() async throws {
        try await withFiles { port in
            let answer = request(port, "GET / HTTP/1.1").lowercased()
            let line = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("etag: ") })
            let tag = line.dropFirst(6)
            let again = request(port, "GET / HTTP/1.1\r\nIf-None-Match: W/\(tag)")
            #expect(again.hasPrefix("HTTP/1.1 304"))
            #expect(!again.contains("<p>"))
            #expect(request(port, "GET / HTTP/1.1\r\nIf-None-Match: \"other\"").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: [
        ("GET /nothing HTTP/1.1", "404"), ("GET /../../etc/passwd HTTP/1.1", ""), ("POST / HTTP/1.1", "405"),
        ("PUT / HTTP/1.1", "405"), ("DELETE / HTTP/1.1", "405"), ("OPTIONS / HTTP/1.1", "405"),
        ("CONNECT localhost:80 HTTP/1.1", ""), ("PRI * HTTP/2.0", ""), ("nonsense", ""), ("\u{0}\u{1}\u{2}", ""),
        ("GET / HTTP/1.1\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__", "400"),
        ("GET / HTTP/1.1\r\nUpgrade: websocket", "404"), ("GET /ws HTTP/1.1", "404"),
    ])
    func whatIsNotServedIsRefusedAndHarmsNothing(head: String, status: String) async throws {
        try await withFiles { port in
            let answer = request(port, head)
            if !status.isEmpty { #expect(answer.contains(" \(status) "), "\(answer)") }
            #expect(!answer.hasPrefix("HTTP/1.1 200"))
            #expect(request(port, "GET / HTTP/1.1").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func hugeHeadersAndIdleConnectionsAreClosed() async throws {
        try await withFiles { port in
            let huge = request(port, "GET / HTTP/1.1\r\nX-Huge: " + String(repeating: "h", count: 100_000))
            #expect(!huge.hasPrefix("HTTP/1.1 200") || huge.hasSuffix("<p>ä</p>"))
            // Nothing, and half a request: both are closed within the handshake's time.
            let idle = RawConnection(port: port)
            let half = RawConnection(port: port)
            half.send("GET / HTT")
            #expect(idle.readToEnd().isEmpty)
            _ = half.readToEnd()
            #expect(request(port, "GET / HTTP/1.1").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func aPageOfSomebodyElseIsRefused() async throws {
        try await withFiles { port in
            #expect(request(port, "GET / HTTP/1.1", host: "evil.example:\(port)").contains(" 403 "))
            let own = "Origin: http://localhost:\(port)\r\n"
            #expect(RawConnection(port: port).upgrade(port: port, extra: own).hasPrefix("HTTP/1.1 101"))
            let foreign = "Origin: http://evil.example\r\n"
            #expect(RawConnection(port: port).upgrade(port: port, extra: foreign).contains(" 403 "))
            // DNS rebinding: Host and Origin agree, but it is not this machine's name.
            let rebound = RawConnection(port: port).upgrade(
                port: port, host: "evil.example:\(port)", extra: "Origin: http://evil.example:\(port)\r\n")
            #expect(rebound.contains(" 403 "))
            let missing = RawConnection(port: port)
            missing.send("GET / HTTP/1.1\r\n\r\n")
            #expect(missing.read(until: "\r\n\r\n").contains(" 403 "))
        }
    }

    @Test func aWebSocketNeedsItsPathAndSubprotocol() async throws {
        try await withFiles { port in
            #expect(RawConnection(port: port).upgrade(port: port, path: "/other").contains(" 404 "))
            #expect(!RawConnection(port: port).upgrade(port: port, subprotocol: nil).hasPrefix("HTTP/1.1 101"))
            #expect(!RawConnection(port: port).upgrade(port: port, subprotocol: "other").hasPrefix("HTTP/1.1 101"))
            #expect(RawConnection(port: port).upgrade(port: port, subprotocol: "other, test").hasPrefix("HTTP/1.1 101"))
        }
    }

    @Test func moreConnectionsThanAllowedAreRefused() async throws {
        try await withEchoServer({ $0.maximumConnections = 3 }) { server, handler in
            let kept = (0..<3).map { _ in RawConnection(port: server.port) }
            for raw in kept { #expect(raw.upgrade(port: server.port).hasPrefix("HTTP/1.1 101")) }
            #expect(RawConnection(port: server.port).upgrade(port: server.port) == "")
            #expect(handler.now.opened.count == 3)
        }
    }

    @Test(
        arguments: [
            ("localhost:8080", nil, true, true), ("localhost", "http://localhost", true, true),
            ("LOCALHOST:1", "http://localhost:1", true, true), ("127.0.0.2:80", nil, true, true),
            ("[::1]:80", "http://[::1]:80", true, true), ("a.localhost:1", nil, true, true),
            ("localhost:1", "http://localhost:2", true, false), ("localhost", "null", true, false),
            ("localhost", "file://", true, false), ("localhost.evil.example", nil, true, false),
            ("127.0.0.1.evil.example", nil, true, false), ("127.evil", nil, true, false),
            ("192.0.2.1", nil, true, false),
            ("", nil, true, false), (nil, nil, true, false), ("local host", nil, true, false),
            ("door.example", "https://door.example", false, true),
            ("door.example", "https://evil.example", false, false),
            ("door.example", nil, false, true), ("a\"b", nil, false, false),
        ] as [(String?, String?, Bool, Bool)])
    func hostAndOriginDecide(host: String?, origin: String?, isLoopbackOnly: Bool, isAllowed: Bool) {
        #expect(HostCheck.allows(host: host, origin: origin, isLoopbackOnly: isLoopbackOnly) == isAllowed)
    }
}
