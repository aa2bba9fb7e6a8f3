import LobbyProtocol
import Testing

@testable import Lobby

private let key = LobbyKey(name: "api", secret: Array("0123456789abcdef0123456789abcdef".utf8))

@Suite struct LobbyTokenRulesTests {
    private func keyed() -> LobbyTable { LobbyTable { $0.keys = [key] } }

    private func token(
        _ table: LobbyTable, _ id: String, room: String = "r", _ change: (inout TokenClaims) -> Void = { _ in }
    ) -> String {
        var claims = TokenClaims(
            participantID: id, name: "Name of \(id)", room: room, expiration: table.unixTime + 600)
        change(&claims)
        return Token.mint(claims, key: key)
    }

    private func join(
        _ table: inout LobbyTable, _ id: String, role: LobbyRole = .host,
        _ change: (inout TokenClaims) -> Void = { _ in }
    ) -> [String] {
        let token = token(table, id, change)
        table.connect(id)
        return table.say(id, .join(LobbyJoin(room: "r", name: "my own", role: role, token: token)))
    }

    @Test func aTokenNamesTheParticipant() {
        var table = keyed()
        #expect(join(&table, "a") == ["a: joined a beside []"])
        #expect(table.core.rooms["r"]?.members.first?.participant.name == "Name of a")
    }

    @Test func withoutAGoodTokenNobodyGetsIn() {
        var table = keyed()
        let good = token(table, "a")
        let expired = token(table, "a") { $0.expiration -= 3600 }
        let cases: [(LobbyJoin, String)] = [
            (LobbyJoin(room: "r", participantID: "a"), "none"), (LobbyJoin(room: "r", token: ""), "empty"),
            (LobbyJoin(room: "r", token: "garbage"), "garbage"), (LobbyJoin(room: "q", token: good), "other room"),
            (LobbyJoin(room: "r", participantID: "b", token: good), "other participant"),
            (LobbyJoin(room: "r", token: expired), "expired"),
            (LobbyJoin(room: "r", token: token(table, "a b")), "no participant id"),
            (LobbyJoin(room: "r", token: token(table, "a") { $0.roomJoin = false }), "no roomJoin"),
        ]
        for (join, name) in cases {
            table.connect(name)
            #expect(
                table.say(name, .join(join)) == ["\(name): error refusedToken", "\(name) closed 4401"], "\(name)")
        }
        #expect(table.core.occupancy == (0, 0, 0))
    }

    @Test func theGrantsAreEnforced() {
        var table = keyed()
        _ = join(&table, "admin") { $0.roomAdmin = true }
        _ = join(&table, "mute") { $0.canPublish = false }
        _ = join(&table, "blind") { $0.canSubscribe = false }
        _ = join(&table, "quiet") { $0.canPublishData = false }
        #expect(table.say("mute", .publish(stream("m"))) == ["mute: error notPermitted"])
        // Nobody tells the one who may not play of streams.
        #expect(
            table.say("admin", .publish(stream("s"))) == [
                "mute: +stream s of admin", "quiet: +stream s of admin", "admin: done",
            ])
        _ = join(&table, "blind2") { $0.canSubscribe = false }
        #expect(table.say("quiet", .message(to: nil, body: [:])) == ["quiet: error notPermitted"])
        #expect(
            table.say("mute", .signal(to: "blind", session: nil, .endOfCandidates)) == [
                "blind: signal of mute end", "mute: done",
            ])
        #expect(table.say("mute", .kick(participant: "blind", text: nil)) == ["mute: error notPermitted"])
        #expect(
            table.say("admin", .kick(participant: "blind", text: nil)).prefix(2) == [
                "admin: done", "blind: kicked kicked admin -",
            ])
    }

    @Test func anAudienceDoesNotPublishWhateverItsToken() {
        var table = keyed()
        _ = join(&table, "a", role: .audience) { $0.roomAdmin = true }
        #expect(table.say("a", .publish(stream("s"))) == ["a: error notPermitted"])
    }

    @Test func onlyATokenThatAllowsToPublishMakesAHost() {
        var table = keyed()
        _ = join(&table, "mute", role: .audience) { $0.canPublish = false }
        _ = join(&table, "a", role: .audience)
        #expect(table.say("mute", .role(.host)) == ["mute: error notPermitted"])
        #expect(
            table.say("a", .role(.host)) == [
                "a: a is host, publishes true", "mute: a is host, publishes true", "a: done",
            ])
        // The role gives no right that the token does not.
        #expect(table.say("a", .kick(participant: "mute", text: nil)) == ["a: error notPermitted"])
        #expect(table.say("a", .publish(stream("s"))) == ["mute: +stream s of a", "a: done"])
    }
}
