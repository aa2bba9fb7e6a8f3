import Calls
import MediaTypes
import Realtime
import Synchronization
import WebSockets

@testable import Rooms

/// An endpoint without media: keeps a room joined with the real session and the real service.
actor RoomKeeper {
    private enum Event: Sendable {
        case room(RoomEvent)
        case finished(attempt: Int, RoomReason?)
        case timer
        case stop
    }

    private let service: LobbyRoomService
    private let request: JoinRequest
    private let post: AsyncStream<Event>.Continuation
    private let inbox: AsyncStream<Event>
    private var session: RoomSession
    private var timer: Task<Void, Never>?
    struct Join {
        /// When the attempt was to start: what the policy chose, however busy this machine is.
        var plannedTime: MonotonicTime
        var time: MonotonicTime
    }

    private var plannedTime = MonotonicClock.now()
    private let joined = Mutex<[Join]>([])

    init(url: String, room: String, id: String, seed: UInt64) throws {
        service = LobbyRoomService(url: try WebSocketURL(url, defaultPath: "/ws"), trust: .system)
        request = JoinRequest(room: room, participant: Participant(id: id, name: ""), token: nil)
        session = RoomSession(seed: seed)
        (inbox, post) = AsyncStream<Event>.makeStream()
    }

    nonisolated var joins: [Join] { joined.withLock { $0 } }

    nonisolated func stop() { post.yield(.stop) }

    /// Returns after `stop()`.
    func run() async {
        let post = post
        let events = service.events
        let forwarding = Task {
            for await event in events { post.yield(.room(event)) }
        }
        try? session.join(at: MonotonicClock.now())
        carryOut()
        for await event in inbox {
            let now = MonotonicClock.now()
            switch event {
            case .room(.disconnected(let error)): session.disconnected(error.reason, at: now)
            case .room(.kickedOut(let reason)): session.disconnected(reason, at: now)
            case .room: continue
            case .finished(let attempt, nil):
                session.joined(attempt: attempt, at: now)
                let join = Join(plannedTime: plannedTime, time: now)
                joined.withLock { $0.append(join) }
            case .finished(let attempt, let reason?): session.joinFailed(attempt: attempt, reason, at: now)
            case .timer:
                plannedTime = session.nextDeadline
                session.advance(to: now)
            case .stop: break
            }
            if case .stop = event { break }
            carryOut()
        }
        timer?.cancel()
        await service.close()
        _ = await forwarding.value
    }

    private func carryOut() {
        let (post, service, request) = (post, service, request)
        while let output = session.pollOutput() {
            guard case .startJoin(let attempt) = output else { continue }
            Task {
                do throws(RoomError) {
                    _ = try await service.join(request)
                    post.yield(.finished(attempt: attempt, nil))
                } catch {
                    post.yield(.finished(attempt: attempt, error.reason))
                }
            }
        }
        timer?.cancel()
        guard session.nextDeadline != .distantFuture else { return }
        let wait = max(0, (session.nextDeadline - MonotonicClock.now()).nanoseconds)
        timer = Task {
            guard (try? await Task.sleep(nanoseconds: UInt64(wait))) != nil else { return }
            post.yield(.timer)
        }
    }
}
