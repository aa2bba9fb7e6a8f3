import CWebSocketShims
import Testing

@testable import WebSockets

/// Every client has a context of libwebsockets on a thread of its own; what the library shares among contexts must bear it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ManyContextsTests {
    @Test func noTwoContextsShareWhatIsCountedWithoutALock() throws {
        func make(_ wake: inout Int32) -> OpaquePointer? {
            "test".withCString { subprotocol in
                var settings = ccb_ws_settings()
                settings.subprotocol = subprotocol
                settings.callback = { _, _, _, _, _ in 0 }
                settings.descriptor_limit = 16
                settings.handshake_seconds = 5
                return ccb_ws_context_create(&settings, &wake)
            }
        }
        var wakes: [Int32] = [-1, -1]
        let first = try #require(make(&wakes[0]))
        let second = try #require(make(&wakes[1]))
        #expect(ccb_ws_log_context(first) != nil)
        #expect(ccb_ws_log_context(first) != ccb_ws_log_context(second))
        ccb_ws_context_destroy(first, wakes[0])
        ccb_ws_context_destroy(second, wakes[1])
    }

    @Test func clientsOnManyThreadsComeAndGoAtOnce() async throws {
        try await withEchoServer { server, handler in
            await withTaskGroup(of: Int.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        var opened = 0
                        for round in 0..<100 {
                            try? await withClient("ws://127.0.0.1:\(server.port)") { client, recorder in
                                guard await eventually({ recorder.now.isOpen }) else { return }
                                opened += 1
                                client.send("\(worker) \(round)")
                                _ = await eventually { recorder.now.texts.count == 1 }
                                client.close()
                                _ = await eventually { recorder.now.endings == 1 }
                            }
                        }
                        return opened
                    }
                }
                var opened = 0
                for await count in group { opened += count }
                #expect(opened == 800)
            }
            #expect(handler.now.received == 800)
        }
    }
}
