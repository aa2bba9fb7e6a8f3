import Testing

@testable import Calls

@Suite struct CommandTableTests {
    private let host = Participant(id: "a", name: "")
    private let audience = Participant(id: "a", name: "", role: .audience)

    private func isAllowed(
        _ command: RoomCommand, _ sender: Participant, isPartner: Bool = false,
        _ permissions: [RoomCommand.Kind: Permission] = [:]
    ) -> Bool {
        let request = RoomRequest(command, requestID: "r", senderID: "a", receiverID: "b")
        return CommandTable(permissions: permissions).decide(request, sender: sender, isPartner: isPartner) == .allowed
    }

    @Test func thereIsOneEntryForEachNumberInOrder() {
        let numbers = CommandTable().entries.map(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == RoomCommand.Kind.allCases.count)
    }

    @Test func eachPermissionIncludesTheOnesBeforeIt() {
        let expected: [Permission: [Bool]] = [
            .nobody: [false, false, false], .partner: [false, true, false], .hosts: [false, true, true],
            .everybody: [true, true, true],
        ]
        for permission in Permission.allCases {
            let permissions = [RoomCommand.Kind.mute: permission]
            #expect(
                [
                    isAllowed(.mute, audience, permissions), isAllowed(.mute, audience, isPartner: true, permissions),
                    isAllowed(.mute, host, permissions),
                ] == expected[permission], "\(permission)")
        }
    }

    @Test func theDoorOpensForNobodyUntilItIsConfigured() {
        let open = RoomCommand.openRelay(name: nil, duration: nil)
        #expect(!isAllowed(open, host, isPartner: true))
        #expect(isAllowed(open, audience, isPartner: true, [.openRelay: .partner]))
    }

    @Test func answersAndSpeakingAreNotConfigured() {
        let permissions: [RoomCommand.Kind: Permission] = [.acceptToSpeak: .everybody, .done: .nobody]
        #expect(!isAllowed(.acceptToSpeak, audience, permissions))
        #expect(isAllowed(.done, audience, permissions))
    }

    @Test func aRequestInSomebodyElsesNameIsRefused() {
        let request = RoomRequest(.mute, requestID: "r", senderID: "b", receiverID: "c")
        #expect(CommandTable().decide(request, sender: host, isPartner: true) == .refused("the sender is not b"))
    }
}
