import Configuration
import Endpoint
import Glibc
import JSONText
import Lobby
import MediaTypes
import Realtime
import Testing

@Suite(.serialized) struct CycleTests {
    /// Calls, ends of calls, switches and losses of the lobby in random order.
    @Test(.timeLimit(.minutes(20))) func aThousandRandomCyclesLeaveNothingBehind() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let pair = try EndpointPair()
        func configuration(_ id: String) -> Configuration {
            var configuration = pair.configuration(id)
            configuration.room.mode = .onCall
            configuration.camera.devices = ["test-pattern", "test-pattern:variant=2"]
            configuration.camera.framesPerSecond = 5
            configuration.calls.targets = [id == "door" ? "desk" : "door"]
            return configuration
        }
        let door = try pair.start(configuration("door"))
        var desk = try pair.start(configuration("desk"))
        func state(_ status: JSONValue) -> String { status["call"]?["state"]?.string ?? "" }
        func joins(_ endpoint: RunningEndpoint) async -> Int64 {
            await endpoint.appliance.answer(["command": "state"])["join_count"]?.integer ?? 0
        }
        func loseLobby() async throws {
            let before = [await joins(door), await joins(desk)]
            try pair.restartLobby()
            for (endpoint, count) in zip([door, desk], before) {
                #expect(await endpoint.waitForState(seconds: 60) { ($0["join_count"]?.integer ?? 0) > count })
            }
        }
        func cycle() async throws {
            let (caller, callee) = Bool.random(using: &random) ? (door, desk) : (desk, door)
            // Seldom: an endpoint that loses its room more than once a minute waits longer each time.
            if Int.random(in: 0..<150, using: &random) == 0 { try await loseLobby() }
            #expect(await caller.waitForState { $0["participants"]?.array?.count == 1 })
            #expect(await callee.waitForState { $0["participants"]?.array?.count == 1 })
            _ = await caller.appliance.answer(["command": "call"])
            guard await callee.waitForState(until: { state($0) == "ringing" }) else {
                Issue.record("the call does not ring")
                return
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = await caller.appliance.answer(["command": "hang-up"])
            case 1: _ = await callee.appliance.answer(["command": "decline"])
            default:
                _ = await callee.appliance.answer(["command": "answer"])
                #expect(await caller.waitForState { state($0) == "inCall" })
                for command in ["mute", "camera", "switch-camera", "mute"] where Bool.random(using: &random) {
                    _ = await caller.appliance.answer(["command": .string(command)])
                }
                let ender = Bool.random(using: &random) ? caller : callee
                _ = await ender.appliance.answer(["command": "hang-up"])
            }
            #expect(await caller.waitForState { state($0) == "idle" })
            #expect(await callee.waitForState { state($0) == "idle" })
        }
        let start = MonotonicClock.now()
        // What libraries open, and buffers that grow once, they keep.
        for _ in 0..<400 { try await cycle() }
        try await loseLobby()
        try await cycle()
        // Measured while the door is alone: how many sockets a connection holds depends on how its checks went.
        await desk.leave()
        let before = await settledUsage()
        let bytesBefore = ProcessMemory.bytesInUse
        let kindsBefore = descriptorKinds()
        let threadsBefore = threadNames()
        desk = try pair.start(configuration("desk"))
        for _ in 0..<2 {
            for _ in 0..<500 { try await cycle() }
            // Whether what is kept still grows, or is a level that was reached.
            ProcessMemory.trim()
            print(
                "private dirty in the call's room: \(ProcessUsage.read().privateDirtyKiB) KiB, in use "
                    + "\(ProcessMemory.bytesInUse / 1_024) KiB")
        }
        await desk.leave()
        let after = await settledUsage()
        let bytesAfter = ProcessMemory.bytesInUse
        print("took \((MonotonicClock.now() - start).milliseconds / 1_000) s")
        print(
            "threads \(before.threadCount) -> \(after.threadCount), descriptors \(before.descriptorCount) -> "
                + "\(after.descriptorCount), private dirty \(before.privateDirtyKiB) -> \(after.privateDirtyKiB) KiB")
        print("allocated and not freed \(bytesBefore / 1_024) -> \(bytesAfter / 1_024) KiB")
        let threadsAfter = threadNames()
        print("threads before: \(threadsBefore); after: \(threadsAfter)")
        print("descriptors before: \(kindsBefore); after: \(descriptorKinds())")
        // Those of the endpoints and the lobby, each with a name of its own; the pool's come and go with the machine's load.
        #expect(threadsAfter.filter { $0.key.hasPrefix("cb-") } == threadsBefore.filter { $0.key.hasPrefix("cb-") })
        #expect(after.threadCount <= before.threadCount + 4)
        #expect(after.descriptorCount <= before.descriptorCount)
        // What is allocated tells a leak; pages besides it lie between what is allocated, and come to a level.
        #expect(bytesAfter <= bytesBefore + 512 * 1_024)
        // 1 MB for each of the two endpoints.
        #expect(after.privateDirtyKiB <= before.privateDirtyKiB + 2 * 1_024)
        await door.leave()
    }

    private static func socketKind(_ descriptor: Int32) -> String {
        var domain: Int32 = 0
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length)
        getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length)
        return " \(domain)/\(type)"
    }

    /// How many threads of each name there are.
    private func threadNames() -> [String: Int] {
        guard let directory = opendir("/proc/self/task") else { return [:] }
        defer { closedir(directory) }
        var names: [String: Int] = [:]
        while let entry = readdir(directory) {
            let number = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let file = fopen("/proc/self/task/\(number)/comm", "r") else { continue }
            var line = [CChar](repeating: 0, count: 64)
            if fgets(&line, Int32(line.count), file) != nil {
                let bytes = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(truncatingIfNeeded: $0) }
                names[String(decoding: bytes, as: UTF8.self), default: 0] += 1
            }
            fclose(file)
        }
        return names
    }

    /// How many descriptors of each kind are open, for a person who reads of a difference.
    private func descriptorKinds() -> [String: Int] {
        var kinds: [String: Int] = [:]
        for number in 0..<1_024 {
            var buffer = [CChar](repeating: 0, count: 256)
            guard readlink("/proc/self/fd/\(number)", &buffer, buffer.count - 1) > 0 else { continue }
            let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
            var kind = String(decoding: bytes, as: UTF8.self)
            if let bracket = kind.firstIndex(of: ":"), kind.hasPrefix("socket") { kind = String(kind[..<bracket]) }
            if kind == "socket" { kind += CycleTests.socketKind(Int32(number)) }
            kinds[kind, default: 0] += 1
        }
        return kinds
    }

    /// The smallest of a few looks: other threads of this process come and go.
    private func settledUsage() async -> ProcessUsage {
        ProcessMemory.trim()
        var best = ProcessUsage.read()
        for _ in 0..<10 {
            try? await Task.sleep(nanoseconds: 300_000_000)
            ProcessMemory.trim()
            let now = ProcessUsage.read()
            best.threadCount = min(best.threadCount, now.threadCount)
            best.descriptorCount = min(best.descriptorCount, now.descriptorCount)
            best.privateDirtyKiB = min(best.privateDirtyKiB, now.privateDirtyKiB)
        }
        return best
    }
}
