import Devices
import Glibc
import MediaEngine
@testable import MediaTransport
import MediaTypes
import Realtime

/// A media engine whose own packets come back to its players, as if a perfect network stood between: everything but
/// the network thread runs as in a call.
// @unchecked: used by one test at a time, which waits for the thread.
final class MediaEngineLoop: @unchecked Sendable {
    let engine: MediaEngine
    let audio: AudioSource
    let video: VideoSource?
    private var sequence: Int64 = 0
    private let started = MonotonicClock.now()

    init(_ settings: MediaEngineSettings) throws {
        engine = try MediaEngine(settings: settings, registry: DeviceRegistry())
        audio = try AudioSource()
        video = engine.screen.map {
            VideoSource(name: "loop", frameSignal: $0.frameSignal, pictureSignal: $0.pictureSignal)
        }
        try engine.start()
        _ = engine.playback?.add(audio)
        if let video { engine.screen?.add(video) }
        engine.setNeeded(true)
    }

    /// Carries what is encoded to the players for `seconds`, on a thread of its own: the shared pool must not wait.
    func run(seconds: Int) async throws {
        var thread: RealtimeThread?
        await withCheckedContinuation { continuation in
            thread = try? RealtimeThread(name: "cb-test") { _ in
                self.carry(seconds: seconds)
                continuation.resume()
            }
            if thread == nil { continuation.resume() }
        }
        thread?.stopAndJoin()
    }

    private func carry(seconds: Int) {
        let end = MonotonicClock.now() + .seconds(Int64(seconds))
        while MonotonicClock.now() < end {
            guard engine.outgoingSignal.wait(timeoutMilliseconds: 100) else { continue }
            while let (header, payload) = engine.capture?.packets.read() {
                audio.receive(
                    ReceivedAudioPacket(
                        payload: payload, sequence: sequence, timestamp: header.timestamp,
                        arrival: MonotonicClock.now(), levelDBov: nil, hasVoice: true, marker: false,
                        isRetransmission: false, senderTime: nil))
                sequence += 1
                engine.capture?.packets.consume()
            }
            while let (header, payload) = engine.encoding?.frames.read() {
                video?.receive(
                    ReceivedVideoFrame(
                        bytes: payload, timestamp: header.timestamp, isKeyFrame: header.flags & 1 != 0,
                        completion: MonotonicClock.now(), senderTime: nil))
                engine.encoding?.frames.consume()
            }
        }
    }

    func stop() {
        engine.setNeeded(false)
        engine.playback?.remove(audio)
        if let video { engine.screen?.remove(video) }
        engine.stop()
    }
}
