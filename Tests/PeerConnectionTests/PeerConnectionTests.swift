import MediaTypes
import SDP
import Testing

@testable import PeerConnection

/// Two connections of one process over UDP on 127.0.0.1.
@Suite(.serialized) struct PeerConnectionTests {
    /// Runs `test` with two peers on a loop of their own and closes everything behind it.
    private static func withPair(
        _ left: TestPeer.Options = TestPeer.Options(isPolite: false), _ right: TestPeer.Options = TestPeer.Options(),
        _ test: (NetworkLoop, TestPeer, TestPeer) async throws -> Void
    ) async throws {
        let loop = try NetworkLoop()
        let made: (TestPeer, TestPeer)? =
            await loop.call {
                guard let a = try? TestPeer(loop: loop, options: left),
                    let b = try? TestPeer(loop: loop, options: right)
                else { return nil }
                TestPeer.connect(a, b)
                return (a, b)
            } ?? nil
        let (a, b) = try #require(made)
        let result = await Result { try await test(loop, a, b) }
        await loop.call {
            a.close()
            b.close()
        }
        loop.stopAndJoin()
        try result.get()
    }

    private static func addMedia(_ peer: TestPeer, _ name: String, direction: MediaDirection = .sendReceive) {
        _ = peer.connection?.addTransceiver(kind: .audio, direction: direction, streamID: name, trackID: "\(name)-a")
        _ = peer.connection?.addTransceiver(kind: .video, direction: direction, streamID: name, trackID: "\(name)-v")
    }

    private static func areConnected(_ peers: TestPeer...) async -> Bool {
        await RealTime.wait { peers.allSatisfy { $0.has("connected") } }
    }

    /// Reports have come, as they do every few seconds.
    private static func hasHeard(_ loop: NetworkLoop, _ peer: TestPeer) async -> Bool {
        await RealTime.wait { await loop.call { peer.connection?.lastHeard != nil } == true }
    }

    @Test(arguments: SRTPProfile.allCases) func twoEndsConnectAndSeeEachOthersTracks(profile: SRTPProfile) async throws
    {
        var options = TestPeer.Options()
        options.profiles = [profile]
        try await Self.withPair(TestPeer.Options(isPolite: false), options) { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                Self.addMedia(b, "right")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b), "\(a.lines()) \(b.lines())")
            #expect(a.has("track 0 audio right right-a"))
            #expect(a.has("track 1 video right right-v"))
            #expect(b.has("track 0 audio left left-a"))
            #expect(a.has("key frame 1"))
            let statistics = await loop.call { (a.connection?.statistics, b.connection?.statistics) }
            #expect(statistics?.0?.profile == profile)
            #expect(statistics?.1?.profile == profile)
            #expect(statistics?.0?.path.hasSuffix("udp") == true)
        }
    }

    @Test func messagesGoBothWaysWithoutAnyMedia() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") }, "\(a.lines()) \(b.lines())")
            await loop.call {
                let isSent = a.connection?.send(message: "hello")
                let isAnswered = b.connection?.send(message: "hello yourself", label: "chat")
                #expect(isSent == true && isAnswered == true)
            }
            #expect(await RealTime.wait { b.has("message chat hello") && a.has("message chat hello yourself") })
        }
    }

    @Test func offersThatMeetEndInOneConnection() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                Self.addMedia(b, "right")
                b.connection?.addDataChannel("chat")
                a.connection?.negotiate()
                b.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") }, "\(a.lines()) \(b.lines())")
            #expect(a.has("connected") && b.has("connected"))
            #expect(a.has("track 0 audio right right-a"))
            #expect(b.has("track 0 audio left left-a"))
            #expect(!a.has("failed") && !b.has("failed"))
        }
    }

    @Test func manyExchangesAtOnceEndTheSameOnBothSides() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b))
            for round in 0..<5 {
                await loop.call {
                    _ = a.connection?.addTransceiver(
                        kind: .audio, direction: .sendOnly, streamID: "a\(round)", trackID: "t")
                    _ = b.connection?.addTransceiver(
                        kind: .audio, direction: .sendOnly, streamID: "b\(round)", trackID: "t")
                    a.connection?.negotiate()
                    b.connection?.negotiate()
                }
            }
            let isSettled = await RealTime.wait {
                let left = a.lines().filter { $0.contains(" audio b") }.count
                let right = b.lines().filter { $0.contains(" audio a") }.count
                return left == 5 && right == 5
            }
            #expect(isSettled, "\(a.lines()) \(b.lines())")
        }
    }

    @Test func aTrackMayComeAndGo() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b))
            let line = await loop.call {
                let line = a.connection?.addTransceiver(
                    kind: .video, direction: .sendOnly, streamID: "screen", trackID: "s")
                a.connection?.negotiate()
                return line
            }
            #expect(await RealTime.wait { b.has("track 2 video screen s") }, "\(b.lines())")
            await loop.call {
                if case let line?? = line { a.connection?.setDirection(.inactive, line: line) }
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { b.has("track removed 2") }, "\(b.lines())")
        }
    }

    @Test func candidatesThatComeBeforeTheirDescriptionAreKept() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                for port in 1...3 {
                    b.connection?.receive(
                        candidate: "candidate:1 1 udp 2122260223 127.0.0.1 \(port) typ host", mid: "0", lineIndex: 0)
                }
                b.connection?.receive(candidate: "nonsense", mid: "0", lineIndex: 0)
                b.connection?.receive(
                    candidate: "candidate:1 1 udp 2122260223 abc.local 9 typ host", mid: "0", lineIndex: 0)
                let held = b.connection?.heldCandidates.count
                let refused = b.connection?.statistics.refusedSignals
                #expect(held == 4)
                #expect(refused == 1)
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b), "\(a.lines()) \(b.lines())")
            let count = await loop.call { b.connection?.heldCandidates.count }
            #expect(count == 0)
        }
    }

    @Test(arguments: [true, false]) func iceRestartsWithoutLosingTheConnection(offererRestarts: Bool) async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") })
            let before = await loop.call { a.connection?.agent.localCredentials }
            await loop.call { (offererRestarts ? a : b).connection?.restartICE() }
            let isMoved = await RealTime.wait {
                let now = await loop.call {
                    (
                        a.connection?.agent.localCredentials,
                        a.connection?.nextAgent == nil && b.connection?.nextAgent == nil
                    )
                }
                return now?.0 != before && now?.1 == true
            }
            #expect(isMoved, "\(a.lines()) \(b.lines())")
            await loop.call {
                a.connection?.send(message: "still there?")
                b.connection?.send(message: "yes")
            }
            #expect(await RealTime.wait { b.has("message chat still there?") && a.has("message chat yes") })
            #expect(a.count("connected") == 1 && b.count("connected") == 1)
        }
    }

    @Test func restartsOfBothSidesAtOnceWorkToo() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") })
            let before = await loop.call {
                (a.connection?.agent.localCredentials, b.connection?.agent.localCredentials)
            }
            await loop.call {
                a.connection?.restartICE()
                b.connection?.restartICE()
            }
            let isMoved = await RealTime.wait {
                await loop.call {
                    a.connection?.nextAgent == nil && b.connection?.nextAgent == nil
                        && a.connection?.agent.localCredentials != before?.0
                        && b.connection?.agent.localCredentials != before?.1
                } == true
            }
            #expect(isMoved, "\(a.lines()) \(b.lines())")
            await loop.call { _ = a.connection?.send(message: "hello") }
            #expect(await RealTime.wait { b.has("message chat hello") })
        }
    }

    @Test func aForeignFingerprintEndsTheConnectionBeforeAnyMedia() async throws {
        var options = TestPeer.Options()
        options.announcesForeignFingerprint = true
        try await Self.withPair(TestPeer.Options(isPolite: false), options) { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("failed") }, "\(a.lines())")
            #expect(a.has("failed: the far side's certificate is not the announced one"))
            #expect(!a.has("connected") && !b.has("connected"))
        }
    }

    @Test func closingOneEndClosesTheOther() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b))
            await loop.call { a.close() }
            #expect(await RealTime.wait { b.has("closed") }, "\(b.lines())")
            #expect(a.has("closed"))
        }
    }

    @Test func whatCannotBeReadEndsAConnectionThatHasNotBegunAndNothingElse() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call { b.connection?.receive(description: "v=0\r\nnonsense", type: .offer) }
            #expect(await RealTime.wait { b.has("failed") })
        }
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b))
            await loop.call {
                b.connection?.receive(description: "v=0\r\nnonsense", type: .offer)
                b.connection?.receive(description: "v=0\r\nnonsense", type: .answer)
                b.connection?.receive(description: "", type: .rollback)
                let state = b.connection?.state
                let refused = b.connection?.statistics.refusedSignals
                #expect(state == .connected)
                #expect(refused == 3)
            }
        }
    }

    @Test func withoutAnAnswerTheConnectionFailsInTime() async throws {
        var options = TestPeer.Options()
        options.timeout = .milliseconds(300)
        try await Self.withPair(options) { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.holdsSignals = true
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("failed: no connection to the far side came about in time") })
            #expect(a.has("failed"))
        }
    }

    /// The reports of the far side stop; without them its consent ends by RFC 7675, which takes up to 30 s.
    @Test func aLostPathIsReplacedByItself() async throws {
        try await Self.withPair { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") })
            #expect(await Self.hasHeard(loop, a))
            // As if the interface had gone: the sockets are closed and nobody hears of it.
            await loop.call { b.connection?.agent.close() }
            #expect(await RealTime.wait { a.has("disconnected") }, "\(a.lines())")
            #expect(await RealTime.wait { a.count("connected") == 2 }, "\(a.lines()) \(b.lines())")
            await loop.call { _ = a.connection?.send(message: "are you back?") }
            #expect(await RealTime.wait { b.has("message chat are you back?") })
        }
    }

    @Test func aFarSideThatVanishesFailsTheConnection() async throws {
        var options = TestPeer.Options(isPolite: false)
        options.timeout = .seconds(Int64(4))
        try await Self.withPair(options) { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b))
            #expect(await Self.hasHeard(loop, a))
            await loop.call {
                b.connection?.agent.close()
                a.holdsSignals = true
            }
            #expect(await RealTime.wait { a.has("failed") }, "\(a.lines())")
            #expect(a.has("failed: the far side does not answer any more"))
            #expect(a.has("disconnected"))
        }
    }

    @Test func ipv6CarriesACall() async throws {
        var options = TestPeer.Options(isPolite: false)
        options.ice.interfaces.fixedAddresses = ["::1"]
        var polite = options
        polite.isPolite = true
        try await Self.withPair(options, polite) { loop, a, b in
            await loop.call {
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") }, "\(a.lines()) \(b.lines())")
        }
    }

    @Test func towardsALiteFarSideTheAnswererChoosesThePath() async throws {
        var lite = TestPeer.Options(isPolite: false)
        lite.claimsToBeLite = true
        try await Self.withPair(lite) { loop, a, b in
            await loop.call {
                Self.addMedia(a, "left")
                a.connection?.negotiate()
            }
            #expect(await Self.areConnected(a, b), "\(a.lines()) \(b.lines())")
            let isControlling = await loop.call { b.connection?.session.isICEControlling }
            #expect(isControlling == true)
        }
    }

    @Test func tcpCarriesACallWhereUDPIsOff() async throws {
        var options = TestPeer.Options()
        options.ice.usesUDP = false
        var impolite = options
        impolite.isPolite = false
        try await Self.withPair(impolite, options) { loop, a, b in
            await loop.call {
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
            }
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") }, "\(a.lines()) \(b.lines())")
            let path = await loop.call { a.connection?.statistics.path }
            #expect(path??.hasSuffix("tcp") == true)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
