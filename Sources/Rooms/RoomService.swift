import Calls
import JSONText

/// The port to a service that has rooms: the embedded lobby, later Janus and LiveKit.
///
/// Joining returns when the room is joined; participants and streams that are there already arrive as events, like later
/// ones. A service may be joined again after it was left or lost.
/// - Thread: any; nothing blocks.
package protocol RoomService: AnyObject, Sendable {
    /// For one consumer.
    var events: AsyncStream<RoomEvent> { get }
    func join(_ request: JoinRequest) async throws(RoomError) -> JoinedRoom
    /// Leaves the room, or gives up a join that is under way; returns when that is done, within half a second.
    func leave() async
    func publish(_ stream: LocalStream) async throws(RoomError)
    func unpublish(_ stream: StreamID) async throws(RoomError)
    /// Publishes and plays from now on, or only plays. Whoever becomes `audience` publishes no more.
    func change(role: Participant.Role) async throws(RoomError)
    /// Tells the others which tracks of a published stream are muted.
    func change(_ stream: LocalStream)
    func send(_ signal: ConnectionSignal, on connection: ConnectionID)
    /// - Parameter participant: nil: everybody else.
    func send(message: JSONValue, to participant: ParticipantID?) async throws(RoomError)
    func kick(_ participant: ParticipantID, text: String?) async throws(RoomError)
    /// After a change of the network: asks the server for a sign of life. Without one within a second the room is
    /// `disconnected`, instead of when the keep-alive finds out. Does nothing unless joined.
    func checkConnection()
    /// Leaves, and ends `events`; nothing may be called afterwards.
    func close() async
}
