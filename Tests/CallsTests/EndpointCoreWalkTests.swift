import MediaTypes
import Testing

@testable import Calls

@Suite struct EndpointCoreWalkTests {
    /// Whatever people, the room and time do: what is closed stays closed, and both ends of a call agree.
    @Test(arguments: [UInt64(1), 2, 3, 4]) func noSequenceOfEventsOpensWhatMustBeClosed(start: UInt64) throws {
        let seed = start &* 7_919 &+ UInt64.random(in: 0...UInt64.max >> 8)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        var table = CoreTable()
        try table.add("door", mode: .onCall) { $0.targets = ["desk", "guard"] }
        try table.add("desk", mode: .auto)
        try table.add("guard", mode: .listen)
        let ids = ["door", "desk", "guard"]
        for _ in 0..<8_000 {
            let id = ids[Int.random(in: 0..<3, using: &random)]
            step(&table, id, &random)
            check(table, "door", seed)
            check(table, "guard", seed)
        }
        table.isServerUp = true
        table.run(for: .seconds(60))
        for id in ids {
            try? table.at(id) { core, now throws(ActionError) in try core.hangUp(at: now) }
        }
        table.run(for: .seconds(30))
        for id in ids {
            #expect(table.core(id).call.state == .idle, "seed \(seed)")
            #expect(table.core(id).room.state.isJoined, "seed \(seed)")
        }
    }

    private func step(_ table: inout CoreTable, _ id: ParticipantID, _ random: inout SeededRandom) {
        let actions = ButtonAction.allCases
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            table.loseServer()
            table.run(for: .milliseconds(Int64.random(in: 0...20_000, using: &random)))
            table.isServerUp = true
        case 1: table.run(for: .milliseconds(Int64.random(in: 0...40_000, using: &random)))
        case 2...5: table.run(for: .milliseconds(Int64.random(in: 0...500, using: &random)))
        case 6:
            let other = ["door", "desk", "guard"][Int.random(in: 0..<3, using: &random)]
            let commands: [RoomCommand] = [
                .mute, .cameraOff, .switchCamera, .openRelay(name: nil, duration: nil), .setVolume(percent: 50),
            ]
            let command = commands[Int.random(in: 0..<commands.count, using: &random)]
            try? table.at(id) { core, now throws(ActionError) in try core.tell(other, command, at: now) }
        case 7:
            let accepts = Bool.random(using: &random)
            try? table.at("desk") { core, now throws(ActionError) in
                try core.decide("guard", accepts: accepts, at: now)
            }
        default:
            let action = actions[Int.random(in: 0..<actions.count, using: &random)]
            try? table.at(id) { core, now throws(ActionError) in try core.perform(action, at: now) }
        }
    }

    private func check(_ table: CoreTable, _ id: ParticipantID, _ seed: UInt64) {
        let core = table.core(id)
        let plan = core.plan
        if core.settings.mode == .onCall, core.call.state != .inCall {
            #expect(!plan.isMicrophoneOpen && !plan.isCameraOn && plan.sendTo == .nobody, "seed \(seed)")
        }
        if core.settings.mode == .listen, core.speak.state != .speaking, core.call.state != .inCall {
            #expect(!plan.isMicrophoneOpen && !plan.publishes && plan.role == .audience, "seed \(seed)")
        }
        #expect(!plan.publishes || core.room.state.isJoined, "seed \(seed)")
        #expect(!plan.isCameraOn || !plan.isCameraOff, "seed \(seed)")
        #expect(plan.tone != .ring || core.call.state == .ringing, "seed \(seed)")
    }
}
