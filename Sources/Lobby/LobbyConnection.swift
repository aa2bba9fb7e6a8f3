import LobbyProtocol
import MediaTypes

/// One client's connection: where its participant is, and how much it may still send.
struct LobbyConnection {
    /// PROTOCOL.md: 50 messages a second on average, 400 at once.
    static let burst = 400
    private static let interval = Interval.milliseconds(20)
    /// A client that never learns is closed.
    static let mostBadMessages = 20
    static let joinTimeout = Interval.seconds(10)

    var place: (room: String, participant: String)?
    /// Until then a connection without participant must join.
    var joinDeadline: MonotonicTime
    var badMessages = 0
    /// The time at which the messages received so far are all paid for.
    private var paidUntil: MonotonicTime

    init(at now: MonotonicTime) {
        joinDeadline = now + Self.joinTimeout
        paidUntil = now
    }

    /// Whether one more message is within the rate.
    mutating func takesOneMore(at now: MonotonicTime) -> Bool {
        paidUntil = max(paidUntil, now) + Self.interval
        return paidUntil - now <= Self.interval * Int64(Self.burst)
    }
}
