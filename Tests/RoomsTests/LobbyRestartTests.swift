import Lobby
import MediaTypes
import Realtime
import Testing

@testable import Rooms

@Suite(.serialized, .timeLimit(.minutes(3))) struct LobbyRestartTests {
    @Test(arguments: [2, 5]) func fiftyEndpointsRejoinSoonAfterARestartAndNotAllAtOnce(secondsAway: UInt64) async throws
    {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("restart: seed \(seed)")
        let lobby = LobbyServer(LobbyConfiguration(port: 0))
        try lobby.start()
        let port = lobby.port
        var keepers: [RoomKeeper] = []
        for index in 0..<50 {
            keepers.append(
                try RoomKeeper(
                    url: "ws://127.0.0.1:\(port)", room: "r\(index / 6)", id: "p\(index)", seed: seed &+ UInt64(index)))
        }
        let running = keepers.map { keeper in Task { await keeper.run() } }
        let all = keepers
        #expect(await eventually { all.allSatisfy { $0.joinTimes.count == 1 } })

        lobby.stop()
        try await Task.sleep(nanoseconds: secondsAway * 1_000_000_000)
        let again = LobbyServer(LobbyConfiguration(port: port))
        try again.start()
        let start = MonotonicClock.now()
        #expect(await eventually { all.allSatisfy { $0.joinTimes.count == 2 } })

        let delays = all.compactMap { $0.joinTimes.dropFirst().first.map { ($0 - start).milliseconds } }.sorted()
        var windows: [Int64: Int] = [:]
        for delay in delays { windows[delay / 100, default: 0] += 1 }
        print(
            "after \(secondsAway) s: rejoined between \(delays.first ?? -1) and \(delays.last ?? -1) ms after the start"
        )
        for window in 0...((delays.last ?? 0) / 100) {
            let count = windows[window] ?? 0
            print("  \(window * 100) ms: \(String(repeating: "#", count: count)) \(count)")
        }
        #expect(delays.count == 50)
        #expect((delays.first ?? .max) <= 1_000)
        #expect((delays.last ?? .max) <= 2_000)
        #expect((windows.values.max() ?? 50) <= 20)

        for keeper in keepers { keeper.stop() }
        for task in running { await task.value }
        again.stop()
    }
}
