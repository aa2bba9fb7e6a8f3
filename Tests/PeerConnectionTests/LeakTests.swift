import Glibc
import MediaTypes
import Testing

@testable import PeerConnection

/// Everything a connection opens is closed with it.
@Suite(.serialized) struct LeakTests {
    private static func entries(of folder: String) -> Int {
        guard let directory = opendir(folder) else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }

    private static var descriptorCount: Int { entries(of: "/proc/self/fd") }
    private static var threadCount: Int { entries(of: "/proc/self/task") }

    /// One call from the first offer to the end, connected before it is closed.
    private static func call(_ loop: NetworkLoop, waitsForConnection: Bool) async throws {
        let made: (TestPeer, TestPeer)? =
            await loop.call {
                var impolite = TestPeer.Options()
                impolite.isPolite = false
                guard let a = try? TestPeer(loop: loop, options: impolite), let b = try? TestPeer(loop: loop) else {
                    return nil
                }
                TestPeer.connect(a, b)
                _ = a.connection?.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "a")
                a.connection?.addDataChannel("chat")
                a.connection?.negotiate()
                return (a, b)
            } ?? nil
        let (a, b) = try #require(made)
        if waitsForConnection {
            #expect(await RealTime.wait { a.has("opened chat") && b.has("opened chat") }, "\(a.lines()) \(b.lines())")
        }
        await loop.call {
            a.close()
            b.close()
        }
    }

    @Test func fiftyConnectionsLeaveNoDescriptorAndNoThread() async throws {
        let loop = try NetworkLoop()
        // The first makes what lasts: usrsctp's iterator thread, GLib's wake-ups.
        try await Self.call(loop, waitsForConnection: true)
        _ = await loop.call {}
        // Other tests of this process open and close things too: the count must come back, not stay.
        let descriptors = Self.descriptorCount
        let threads = Self.threadCount
        for round in 0..<50 {
            try await Self.call(loop, waitsForConnection: !round.isMultiple(of: 5))
        }
        let isBack = await RealTime.wait {
            Self.descriptorCount <= descriptors && Self.threadCount <= threads
        }
        #expect(
            isBack, "\(descriptors) → \(Self.descriptorCount) descriptors, \(threads) → \(Self.threadCount) threads")
        loop.stopAndJoin()
        #expect(await RealTime.wait { Self.threadCount < threads })
    }
}
