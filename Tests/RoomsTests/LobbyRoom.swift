import Calls
import Lobby
import Synchronization
import WebSockets

@testable import Rooms

/// Waits, up to 20 s, until something holds.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<4000 {
        if condition() { return true }
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return condition()
}

/// A room service and everything that it has told.
final class Member: Sendable {
    let service: LobbyRoomService
    private let seen = Mutex<[RoomEvent]>([])
    private let listening = Mutex<Task<Void, Never>?>(nil)

    init(url: String, trust: ServerTrust = .system) throws {
        let service = LobbyRoomService(url: try WebSocketURL(url, defaultPath: "/ws"), trust: trust)
        self.service = service
        let task = Task { [weak self] in
            for await event in service.events { self?.add(event) }
        }
        listening.withLock { $0 = task }
    }

    private func add(_ event: RoomEvent) { seen.withLock { $0.append(event) } }

    var events: [RoomEvent] { seen.withLock { $0 } }

    func sees(_ event: RoomEvent) async -> Bool { await eventually { events.contains(event) } }

    @discardableResult
    func join(
        _ id: String, room: String = "r", role: Participant.Role = .host, mayReplace: Bool = true, token: String? = nil
    ) async throws(RoomError) -> JoinedRoom {
        try await service.join(
            JoinRequest(
                room: room, participant: Participant(id: id, name: "", role: role), mayReplace: mayReplace,
                token: token))
    }

    /// The error of a join that must fail.
    func joinError(_ id: String, mayReplace: Bool = true, token: String? = nil) async -> RoomError? {
        do throws(RoomError) {
            try await join(id, mayReplace: mayReplace, token: token)
            return nil
        } catch {
            return error
        }
    }
}

/// A real lobby on this machine, and members who are let go at the end.
func withLobby(
    _ change: (inout LobbyConfiguration) -> Void = { _ in },
    _ body: (LobbyServer, (Int) throws -> [Member]) async throws -> Void
) async throws {
    var configuration = LobbyConfiguration(port: 0)
    change(&configuration)
    let lobby = LobbyServer(configuration)
    try lobby.start()
    let port = lobby.port
    var members: [Member] = []
    func make(_ count: Int) throws -> [Member] {
        let new = try (0..<count).map { _ in try Member(url: "ws://localhost:\(port)") }
        members += new
        return new
    }
    var failure: (any Error)?
    do {
        try await body(lobby, make)
    } catch {
        failure = error
    }
    for member in members { await member.service.close() }
    lobby.stop()
    if let failure { throw failure }
}
