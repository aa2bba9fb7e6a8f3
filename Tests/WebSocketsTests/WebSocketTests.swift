import Glibc
import Testing

@testable import WebSockets

@Suite(.serialized, .timeLimit(.minutes(3))) struct WebSocketTests {
    @Test(arguments: ["localhost", "127.0.0.1", "[::1]"])
    func aClientAndAServerExchangeTextsInOrder(host: String) async throws {
        try await withEchoServer { server, handler in
            try await withClient("ws://\(host):\(server.port)") { client, recorder in
                let texts = ["", "ä€😀", String(repeating: "x", count: 1 << 20)] + (0..<200).map { "message \($0)" }
                for text in texts {
                    while !client.send(text) { try await Task.sleep(nanoseconds: 5_000_000) }
                }
                #expect(await eventually { recorder.now.texts.count == texts.count })
                #expect(recorder.now.texts == texts)
                client.close()
                #expect(await eventually { recorder.now.closure != nil })
                #expect(recorder.now.closure == .byUs(code: 1000))
                #expect(await eventually { handler.now.closed == [.byPeer(code: 1000, reason: "")] })
            }
        }
    }

    @Test func theServerClosesWithItsCodeAndReason() async throws {
        try await withEchoServer { server, handler in
            try await withClient("ws://localhost:\(server.port)") { client, recorder in
                client.send("close me")
                #expect(await eventually { recorder.now.closure != nil })
                #expect(recorder.now.closure == .byPeer(code: 4400, reason: "as you wish"))
                #expect(await eventually { handler.now.closed == [.byUs(code: 4400)] })
            }
        }
    }

    @Test func aStoppedServerSaysGoodbye() async throws {
        try await withEchoServer { server, handler in
            try await withClient("ws://localhost:\(server.port)") { client, recorder in
                #expect(await eventually { recorder.now.isOpen })
                server.stop()
                #expect(await eventually { recorder.now.closure != nil })
                #expect(recorder.now.closure == .byPeer(code: 1001, reason: "the server stops"))
                #expect(handler.now.closed == [.byUs(code: 1001)])
                #expect(!client.send("too late") || recorder.now.endings == 1)
            }
        }
    }

    @Test func aMessageOverTheLimitIsClosedWith1009OnEitherSide() async throws {
        try await withEchoServer({ $0.maximumMessageBytes = 1000 }) { server, handler in
            try await withClient("ws://localhost:\(server.port)") { client, recorder in
                client.send(String(repeating: "x", count: 1000))
                #expect(await eventually { recorder.now.texts.count == 1 })
                client.send(String(repeating: "x", count: 1001))
                #expect(await eventually { recorder.now.closure != nil })
                #expect(recorder.now.closure == .byPeer(code: 1009, reason: "too big"))
            }
            try await withClient("ws://localhost:\(server.port)", { $0.maximumMessageBytes = 10 }) { client, recorder in
                client.send("more than ten")
                #expect(await eventually { recorder.now.closure != nil })
                #expect(recorder.now.closure == .byUs(code: 1009))
            }
            // Announced only: nothing of that size is ever kept.
            let raw = RawConnection(port: server.port)
            #expect(raw.upgrade(port: server.port).hasPrefix("HTTP/1.1 101"))
            raw.sendFrame(opcode: 1, [65], announced: 1 << 40)
            #expect(raw.readCloseCode() == 1009)
            _ = handler
        }
    }

    @Test func fragmentsArePutTogetherAndBinaryAndBrokenUTF8AreRefused() async throws {
        try await withEchoServer { server, handler in
            let raw = RawConnection(port: server.port)
            #expect(raw.upgrade(port: server.port).hasPrefix("HTTP/1.1 101"))
            raw.sendFrame(opcode: 1, Array("frag".utf8), isFinal: false)
            raw.sendFrame(opcode: 0, Array("ment".utf8), isFinal: false)
            raw.sendFrame(opcode: 0, Array("s!".utf8))
            #expect(raw.read(until: "fragments!").contains("fragments!"))
            raw.sendFrame(opcode: 2, [1, 2, 3])
            #expect(raw.readCloseCode() == 1003)
            let broken = RawConnection(port: server.port)
            _ = broken.upgrade(port: server.port)
            broken.sendFrame(opcode: 1, [0x61, 0xFF, 0x61])
            #expect(broken.readCloseCode() == 1007)
            #expect(await eventually { handler.now.closed.count == 2 })
            #expect(handler.now.received == 1)
        }
    }

    @Test func aCutConnectionIsLostAtOnce() async throws {
        try await withEchoServer { server, handler in
            let raw = RawConnection(port: server.port)
            _ = raw.upgrade(port: server.port)
            #expect(await eventually { handler.now.opened.count == 1 })
            shutdown(raw.descriptor, Int32(SHUT_RDWR))
            #expect(await eventually { handler.now.closed == [.lost] })
        }
    }

    @Test func aSilentPeerIsGivenUpByEitherSide() async throws {
        try await withEchoServer({
            $0.pingSeconds = 1
            $0.silenceSeconds = 3
        }) { server, handler in
            let raw = RawConnection(port: server.port)
            _ = raw.upgrade(port: server.port)
            #expect(await eventually { handler.now.closed.count == 1 })
            #expect(handler.now.closed == [.silent])
        }
        let silent = RawServer()
        try await withClient(
            "ws://127.0.0.1:\(silent.port)",
            {
                $0.pingSeconds = 1
                $0.silenceSeconds = 3
            }
        ) { client, recorder in
            // The accept value of RFC 6455 needs the client's key: the client opens only when it is right.
            let connection = await Task.detached { silent.answer(rightHandshake) }.value
            #expect(await eventually { recorder.now.isOpen })
            #expect(await eventually { recorder.now.closure != nil })
            #expect(recorder.now.closure == .silent)
            close(connection)
            _ = client
        }
    }

    @Test func aLivePeerIsNotGivenUpForSayingNothing() async throws {
        try await withEchoServer({
            $0.pingSeconds = 1
            $0.silenceSeconds = 2
        }) { server, handler in
            try await withClient(
                "ws://localhost:\(server.port)",
                {
                    $0.pingSeconds = 1
                    $0.silenceSeconds = 2
                }
            ) { client, recorder in
                try await Task.sleep(nanoseconds: 5_000_000_000)
                client.send("still here")
                #expect(await eventually { recorder.now.texts == ["still here"] })
                #expect(handler.now.closed.isEmpty)
            }
        }
    }

    @Test func aClientThatDoesNotReadIsClosedAndDisturbsNobody() async throws {
        try await withEchoServer(reply: { text in Array(repeating: text, count: 600) }) { server, handler in
            let raw = RawConnection(port: server.port)
            _ = raw.upgrade(port: server.port)
            raw.sendFrame(opcode: 1, Array(repeating: 65, count: 60_000))
            try await withClient("ws://localhost:\(server.port)") { client, recorder in
                client.send("x")
                #expect(await eventually { recorder.now.texts.count == 600 })
                #expect(await eventually { handler.now.closed.count == 1 })
            }
        }
    }

    @Test func whyAClientCannotConnectIsTold() async throws {
        let closed = RawServer().port
        try await withClient("ws://127.0.0.1:\(closed)") { _, recorder in
            #expect(await eventually { recorder.now.failure != nil })
            guard case .unreachable = recorder.now.failure else {
                Issue.record("\(String(describing: recorder.now.failure))")
                return
            }
        }
        let mute = RawServer()
        try await withClient("ws://127.0.0.1:\(mute.port)", { $0.connectSeconds = 1 }) { _, recorder in
            #expect(await eventually { recorder.now.failure != nil })
            #expect(recorder.now.failure == .timedOut("no answer from the server"))
        }
        let web = RawServer()
        try await withClient("ws://127.0.0.1:\(web.port)") { _, recorder in
            let connection = await Task.detached {
                web.answer { _ in "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" }
            }.value
            #expect(await eventually { recorder.now.failure != nil })
            guard case .handshakeRefused = recorder.now.failure else {
                Issue.record("\(String(describing: recorder.now.failure))")
                return
            }
            close(connection)
        }
    }

    @Test func aClientThatIsStoppedWhileConnectingEndsAtOnce() async throws {
        let mute = RawServer()
        try await withClient("ws://127.0.0.1:\(mute.port)", { $0.connectSeconds = 60 }) { client, recorder in
            try await Task.sleep(nanoseconds: 100_000_000)
            await client.stop()
            #expect(recorder.now.endings == 1)
            #expect(recorder.now.failure != nil)
        }
    }

    @Test func aServerThatDoesNotAnswerTheClosingIsLeftAlone() async throws {
        let mute = RawServer()
        try await withClient("ws://127.0.0.1:\(mute.port)") { client, recorder in
            let connection = await Task.detached { mute.answer(rightHandshake) }.value
            #expect(await eventually { recorder.now.isOpen })
            let start = ContinuousClock.now
            await client.stop()
            // A third of a second is allowed; the rest is a loaded machine's.
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(recorder.now.closure == .byUs(code: 1000))
            close(connection)
        }
    }

    @Test func aPortInUseAndAForeignAddressAreTold() async throws {
        try await withEchoServer { server, _ in
            let second = WebSocketServer(
                WebSocketServerConfiguration(port: server.port, isLoopbackOnly: true, subprotocol: "test"))
            #expect(throws: WebSocketError.addressInUse(address: "127.0.0.1", port: server.port)) {
                try second.start(handler: EchoHandler(second))
            }
        }
        let foreign = WebSocketServer(
            WebSocketServerConfiguration(address: "192.0.2.1", port: 0, isLoopbackOnly: false, subprotocol: "test"))
        #expect(throws: WebSocketError.badAddress("192.0.2.1")) { try foreign.start(handler: EchoHandler(foreign)) }
    }

    @Test func fiftyStartsAndStopsLeaveNoThreadAndNoDescriptor() async throws {
        func round() async throws {
            try await withEchoServer { server, _ in
                try await withClient("ws://localhost:\(server.port)") { client, recorder in
                    client.send("x")
                    #expect(await eventually { recorder.now.texts == ["x"] })
                }
            }
        }
        try await round()
        let before = (count(in: "/proc/self/fd"), count(in: "/proc/self/task"))
        for _ in 0..<50 { try await round() }
        // Other tests may run beside this one; a leak would show fifty times.
        #expect(await eventually { count(in: "/proc/self/fd") <= before.0 + 10 })
        #expect(await eventually { count(in: "/proc/self/task") <= before.1 + 10 })
    }
}

/// A server's answer to a handshake, with the accept value that RFC 6455 wants.
@Sendable func rightHandshake(_ request: String) -> String {
    let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
    let key = line?.split(separator: " ").last.map(String.init) ?? ""
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(WebSocketKey.acceptValue(for: key))\r\nSec-WebSocket-Protocol: test\r\n\r\n"
}

func count(in folder: String) -> Int {
    guard let stream = opendir(folder) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count
}
