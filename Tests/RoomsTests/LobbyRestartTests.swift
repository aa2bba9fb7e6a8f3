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
        #expect(await eventually { all.allSatisfy { $0.joins.count == 1 } })

        lobby.stop()
        try await Task.sleep(nanoseconds: secondsAway * 1_000_000_000)
        let again = LobbyServer(LobbyConfiguration(port: port))
        try again.start()
        let start = MonotonicClock.now()
        #expect(await eventually { all.allSatisfy { $0.joins.count == 2 } })

        let rejoins = all.compactMap { $0.joins.dropFirst().first }
        let delays = rejoins.map { ($0.time - start).milliseconds }.sorted()
        print(
            "after \(secondsAway) s: rejoined between \(delays.first ?? -1) and \(delays.last ?? -1) ms after the start"
        )
        show("rejoined", rejoins.map(\.time), since: start)
        let most = show("planned", rejoins.map(\.plannedTime), since: start)
        #expect(delays.count == 50)
        #expect((delays.first ?? .max) <= 1_000)
        #expect((delays.last ?? .max) <= 2_000)
        // By what the policy chose: on a busy machine what was planned apart may happen together.
        #expect(most <= 20)

        for keeper in keepers { keeper.stop() }
        for task in running { await task.value }
        again.stop()
    }

    /// Prints how many fall into each window of 100 ms; says how many are in the fullest.
    @discardableResult
    private func show(_ title: String, _ times: [MonotonicTime], since start: MonotonicTime) -> Int {
        var windows: [Int64: Int] = [:]
        for time in times { windows[((time - start).milliseconds + 1_000_000) / 100 - 10_000, default: 0] += 1 }
        for window in windows.keys.sorted() {
            let count = windows[window] ?? 0
            print("  \(title) \(window * 100) ms: \(String(repeating: "#", count: count)) \(count)")
        }
        return windows.values.max() ?? 0
    }
}
