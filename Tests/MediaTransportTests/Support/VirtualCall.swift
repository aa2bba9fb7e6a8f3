import MediaTypes
import RTPWire

@testable import MediaTransport

/// Two peers joined by two simulated network directions, faster than real time.
final class VirtualCall {
    let a: VirtualPeer
    let b: VirtualPeer
    var toB: NetworkModel
    var toA: NetworkModel
    /// Keeps a copy of what was sent, for tests that send it again.
    var recordsTraffic = false
    private(set) var traffic: [NetworkModel.Datagram] = []
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var nextAudio: MonotonicTime
    private var nextVideo: MonotonicTime
    private var nextSpeaker: MonotonicTime

    /// - Parameter start: first numbers of the streams; random if nil.
    init(
        seed: UInt64, toB forward: NetworkProfile = NetworkProfile(), toA back: NetworkProfile = NetworkProfile(),
        options: LineOptions = LineOptions(), startRate: Bitrate = .kilobitsPerSecond(800),
        start: StreamStart? = nil
    ) {
        a = VirtualPeer(seed: seed &* 4 &+ 1, lines: options.lines(ssrcBase: 1_000), startRate: startRate, start: start)
        b = VirtualPeer(seed: seed &* 4 &+ 2, lines: options.lines(ssrcBase: 2_000), startRate: startRate, start: start)
        toB = NetworkModel(forward, seed: seed &* 4 &+ 3)
        toA = NetworkModel(back, seed: seed &* 4 &+ 4)
        nextAudio = now
        nextVideo = now
        nextSpeaker = now + .milliseconds(7)
        a.sendsAudio = true
        a.sendsVideo = true
    }

    var eventHash: UInt64 { a.hash.value ^ (b.hash.value &* 3) }

    func run(for duration: Interval) {
        let end = now + duration
        while true {
            let next = min(
                min(min(nextAudio, nextVideo), min(nextSpeaker, toA.nextArrival)),
                min(toB.nextArrival, min(a.session.nextDeadline, b.session.nextDeadline)))
            guard next <= end else { break }
            now = max(now, next)
            step()
        }
        now = end
    }

    /// Hands both sessions what is due at `now`.
    private func step() {
        if nextAudio <= now {
            nextAudio = nextAudio + .milliseconds(20)
            for peer in [a, b] where peer.sendsAudio { peer.tickAudio(at: now) }
        }
        if nextVideo <= now {
            nextVideo = nextVideo + Interval(nanoseconds: 1_000_000_000 / Int64(a.framesPerSecond))
            for peer in [a, b] where peer.sendsVideo { peer.tickVideo(at: now) }
        }
        drain()
        while let datagram = toB.receive(at: now) { deliver(datagram, to: b) }
        while let datagram = toA.receive(at: now) { deliver(datagram, to: a) }
        for peer in [a, b] where peer.session.nextDeadline <= now { peer.session.advance(to: now) }
        drain()
        if nextSpeaker <= now {
            nextSpeaker = nextSpeaker + .milliseconds(20)
            a.tickSpeaker(at: now)
            b.tickSpeaker(at: now)
        }
    }

    func deliver(_ datagram: NetworkModel.Datagram, to peer: VirtualPeer) {
        datagram.bytes.withUnsafeBytes {
            if datagram.isRTCP {
                peer.session.receiveRTCP($0, at: now)
            } else {
                peer.session.receiveRTP($0, at: now)
            }
        }
        drain()
    }

    func drain() {
        a.drain(at: now) {
            toB.send($0, isRTCP: $1, at: now)
            record($0, $1)
        }
        b.drain(at: now) {
            toA.send($0, isRTCP: $1, at: now)
            record($0, $1)
        }
    }

    private func record(_ bytes: [UInt8], _ isRTCP: Bool) {
        guard recordsTraffic, traffic.count < 2_000 else { return }
        traffic.append(NetworkModel.Datagram(arrival: now, order: 0, isRTCP: isRTCP, bytes: bytes))
    }
}
