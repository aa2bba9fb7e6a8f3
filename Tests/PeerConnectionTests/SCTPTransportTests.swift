import MediaTypes
import SDP
import Synchronization
import Testing

@testable import PeerConnection

/// Two SCTP transports on one loop, joined without DTLS.
// @unchecked: everything but the log is touched on the loop.
private final class SCTPPair: @unchecked Sendable, CustomReflectable {
    /// See `TestPeer`.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    let loop: NetworkLoop
    let log = Mutex<[String]>([])
    var left: SCTPTransport?
    var right: SCTPTransport?
    /// Every packet whose number is a multiple is lost; 0: none.
    var losesEvery = 0
    var packets = 0

    init(loop: NetworkLoop) {
        self.loop = loop
    }

    func start() {
        left = make(.client, "left") { [unowned self] in self.right }
        right = make(.server, "right") { [unowned self] in self.left }
    }

    func close() {
        left?.close()
        right?.close()
        left = nil
        right = nil
    }

    private func make(
        _ role: DTLSRole, _ name: String, other: @escaping () -> SCTPTransport?
    ) -> SCTPTransport {
        SCTPTransport(
            loop: loop, role: role, remoteMaximumMessageByteCount: 262_144,
            onPacket: { [unowned self] packet in
                self.packets += 1
                #expect(packet.count <= 1_160)
                if self.losesEvery > 0 && self.packets.isMultiple(of: self.losesEvery) { return }
                let copy = Array(packet)
                self.loop.later { copy.withUnsafeBytes { other()?.receive($0) } }
            },
            onEvent: { [unowned self] event in
                let line =
                    switch event {
                    case .channelOpened(let label): "\(name) opened \(label)"
                    case .channelClosed(let label): "\(name) closed \(label)"
                    case .text(let label, let text): "\(name) text \(label) \(text.utf8.count) \(text.prefix(20))"
                    case .binary(let label, let bytes): "\(name) binary \(label) \(bytes.count)"
                    case .ended: "\(name) ended"
                    }
                self.log.withLock { $0.append(line) }
            })
    }

    func has(_ line: String) -> Bool { log.withLock { $0.contains(line) } }
}

@Suite(.serialized) struct SCTPTransportTests {
    @Test(arguments: [0, 15]) func messagesGoBothWaysInOrderWithAndWithoutLoss(losesEvery: Int) async throws {
        let loop = try NetworkLoop()
        let pair = SCTPPair(loop: loop)
        await loop.call {
            pair.losesEvery = losesEvery
            pair.start()
            pair.left?.openChannel(label: "chat", subprotocol: "text")
            pair.right?.openChannel(label: "control")
        }
        for line in ["left opened chat", "right opened chat", "left opened control", "right opened control"] {
            #expect(await RealTime.wait { pair.has(line) }, "\(line)")
        }
        await loop.call {
            // RFC 8832 §6: the client's streams are even, the server's odd.
            #expect(pair.left?.channels[0]?.label == "chat")
            #expect(pair.right?.channels[1]?.label == "control")
            #expect(pair.right?.channels[0]?.subprotocol == "text")
            for number in 0..<20 {
                #expect(pair.left?.send("message \(number)", label: "chat") == true)
                #expect(pair.right?.send("reply \(number)", label: "chat") == true)
            }
            #expect(pair.left?.send("", label: "control") == true)
            #expect(pair.left?.send(String(repeating: "x", count: 200_000), label: "control") == true)
            #expect(pair.right?.send([UInt8](repeating: 1, count: 70_000), label: "control") == true)
            #expect(pair.right?.send([UInt8](), label: nil) == true)
            #expect(pair.left?.send("nobody", label: "unknown") == false)
            #expect(pair.left?.send(String(repeating: "x", count: 262_145), label: "chat") == false)
        }
        let last = [
            "left binary chat 0", "left binary control 70000",
            "right text control 200000 \(String(repeating: "x", count: 20))",
        ]
        for line in last { #expect(await RealTime.wait { pair.has(line) }, "\(line)") }
        let log = pair.log.withLock { $0 }
        #expect(
            log.filter { $0.hasPrefix("right text chat") }.map { $0.split(separator: " ").last }
                == (0..<20).map { "\($0)" })
        #expect(log.filter { $0.hasPrefix("left text chat") }.count == 20)
        #expect(log.contains("right text control 0 "))
        await loop.call { pair.close() }
        loop.stopAndJoin()
    }

    @Test func moreThanTheLimitIsRefusedAndTheRestStillArrives() async throws {
        let loop = try NetworkLoop()
        let pair = SCTPPair(loop: loop)
        await loop.call {
            pair.start()
            pair.left?.openChannel(label: "bulk")
        }
        #expect(await RealTime.wait { pair.has("right opened bulk") })
        let accepted = await loop.call {
            let text = String(repeating: "y", count: 100_000)
            var count = 0
            while count < 100, pair.left?.send(text, label: "bulk") == true { count += 1 }
            return count
        }
        let count = try #require(accepted)
        // What usrsctp already took no longer counts as waiting here.
        #expect((10...20).contains(count))
        #expect(
            await RealTime.wait { pair.log.withLock { $0.filter { $0.hasPrefix("right text bulk") }.count } == count })
        await loop.call { pair.close() }
        loop.stopAndJoin()
    }

    @Test func anAbortEndsTheOtherSide() async throws {
        let loop = try NetworkLoop()
        let pair = SCTPPair(loop: loop)
        await loop.call {
            pair.start()
            pair.left?.openChannel(label: "chat")
        }
        #expect(await RealTime.wait { pair.has("left opened chat") })
        await loop.call { pair.left?.close() }
        #expect(await RealTime.wait { pair.has("right ended") })
        #expect(pair.has("right closed chat"))
        await loop.call { pair.close() }
        loop.stopAndJoin()
    }

    @Test func noiseIsDropped() async throws {
        let loop = try NetworkLoop()
        let pair = SCTPPair(loop: loop)
        let seed = UInt64.random(in: .min ... .max)
        await loop.call {
            pair.start()
            var random = SeededRandom(seed: seed)
            for _ in 0..<300 {
                let noise = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                noise.withUnsafeBytes { pair.left?.receive($0) }
            }
            pair.left?.openChannel(label: "chat")
        }
        #expect(await RealTime.wait { pair.has("right opened chat") }, "seed \(seed)")
        await loop.call { pair.close() }
        loop.stopAndJoin()
    }
}
