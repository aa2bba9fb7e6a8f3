import MediaTypes
import Testing

@testable import Calls

@Suite struct EndpointCommandTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    private func joinedCore() throws -> EndpointCore {
        var core = EndpointCore(
            settings: EndpointCore.Settings(participant: Participant(id: "door", name: "")), seed: 1)
        try core.join(at: now)
        core.joined(attempt: core.room.attempt, present: [Participant(id: "desk", name: "")], at: now)
        _ = outputs(&core)
        return core
    }

    private func outputs(_ core: inout EndpointCore) -> [EndpointCore.Output] {
        var all: [EndpointCore.Output] = []
        while let output = core.pollOutput() { all.append(output) }
        return all
    }

    private func mute(_ receiver: ParticipantID?) -> RoomMessage {
        .request(RoomRequest(.mute, requestID: "r", senderID: "desk", receiverID: receiver))
    }

    @Test func aCommandForSomebodyElseIsNotObeyed() throws {
        var core = try joinedCore()
        core.receive(mute("hall"), from: "desk", at: now)
        #expect(!core.isMuted && outputs(&core).isEmpty)
        core.receive(mute(nil), from: "desk", at: now)
        #expect(core.isMuted)
    }

    @Test func commandsByTheThousandAreAnsweredSparingly() throws {
        var core = try joinedCore()
        for _ in 0..<1_000 { core.receive(mute("door"), from: "desk", at: now) }
        #expect(outputs(&core).count == 20)
    }
}
