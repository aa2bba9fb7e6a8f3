import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// All remote streams' way to the speaker, on a thread of its own: the speaker asks, and everything is pulled.
///
/// ```
/// AudioSource ─┐
/// AudioSource ─┼▶ volume ─┬▶ AudioMixer (limiter) ─▶ speaker 10 ms
/// AudioSource ─┘          │
///       ToneGenerator ────┘ with a volume of its own
/// ```
/// A speaker that is missing is replaced by a real clock that throws the sound away, and opened again every second.
///
/// Sources are added and removed by messages, so that `cb-play` never waits for a lock: a pointer that it no longer uses
/// comes back through `released`, and only then is the object let go.
// @unchecked: sources in use belong to cb-play; the two rings order the hand-over; the producer side is under a mutex.
package final class AudioPlayback: @unchecked Sendable {
    /// More remote streams than this are not heard; a mesh room has 5.
    package static let maximumSources = 32
    static let reopenInterval = Interval.seconds(1)

    private enum Order: UInt32 {
        case add = 0
        case remove = 1
    }

    private let registry: DeviceRegistry
    private let speaker: DeviceSpecifier
    private let orders = RecordRing(capacityBytes: 8 * 1_024, readySignal: nil)
    private let released = RecordRing(capacityBytes: 8 * 1_024, readySignal: nil)
    private let sender = Mutex<Bool>(false)
    private let volumePercent = Atomic<Int>(100)
    private let toneVolumePercent = Atomic<Int>(70)
    /// The tone in the lower 8 bits; above them how often one was asked for.
    private let wantedTone = Atomic<Int>(0)
    private let soundingTone = Atomic<UInt8>(Tone.none.rawValue)
    private let periods = Atomic<Int>(0)
    private let faults = Counter("speaker.faults")
    private let state: DeviceState
    /// Allocations of cb-play.
    package let allocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    package init(speaker: DeviceSpecifier, registry: DeviceRegistry, state: DeviceState) {
        self.speaker = speaker
        self.registry = registry
        self.state = state
    }

    package func start() throws(SystemError) {
        let handle = try RealtimeThread(
            name: "cb-play", priority: .realtime(20), patience: Heartbeat.devicePatience
        ) { stop in
            self.run(stop)
        }
        thread.withLock { $0 = handle }
    }

    /// Returns when the thread has ended, the speaker is closed and no source is held any more.
    package func stop() {
        thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }?.stopAndJoin()
        sender.withLock { _ in
            // Orders that the thread never saw: their retain is still ours.
            while let (header, payload) = orders.read() {
                if header.kind == Order.add.rawValue { AudioPlayback.pointer(payload).release() }
                orders.consume()
            }
            letGo()
        }
    }

    /// From now on the source is heard. False: too many sources.
    package func add(_ source: AudioSource) -> Bool {
        send(.add, Unmanaged.passRetained(source))
    }

    /// From one of the next periods on the source is not heard, and not referred to, any more.
    package func remove(_ source: AudioSource) {
        _ = send(.remove, Unmanaged.passUnretained(source))
    }

    /// Loudness of the remote streams, 0 … 100 per cent (100 before the first call); what is beyond is limited.
    package func setVolume(percent: Int) { volumePercent.store(Volume.limited(percent), ordering: .relaxed) }
    package var volume: Int { volumePercent.load(ordering: .relaxed) }

    /// Loudness of the tones, 0 … 100 per cent, independent of `volume`.
    package func setToneVolume(percent: Int) { toneVolumePercent.store(Volume.limited(percent), ordering: .relaxed) }
    package var toneVolume: Int { toneVolumePercent.load(ordering: .relaxed) }

    /// From the next period on this tone sounds, from its beginning, whatever else does; another one ends softly.
    package func setTone(_ tone: Tone) {
        var old = wantedTone.load(ordering: .relaxed)
        while true {
            let new = (old | 0xFF) &+ 1 | Int(tone.rawValue)
            let (isDone, now) = wantedTone.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if isDone { return }
            old = now
        }
    }

    /// What sounds now: `busy` and `ended` end by themselves.
    package var tone: Tone { Tone(rawValue: soundingTone.load(ordering: .relaxed)) ?? .none }

    package var playedSeconds: Double { Double(periods.load(ordering: .relaxed)) / 100 }

    private func send(_ order: Order, _ source: Unmanaged<AudioSource>) -> Bool {
        sender.withLock { _ in
            letGo()
            var address = UInt(bitPattern: source.toOpaque())
            let header = RecordHeader(
                kind: order.rawValue, flags: 0, sequence: 0, timestamp: 0, time: .zero, value: 0)
            let isSent = withUnsafeBytes(of: &address) { orders.write(header, $0) }
            if !isSent && order == .add { source.release() }
            return isSent
        }
    }

    /// Drops the references to sources that `cb-play` gave back. Under `sender`.
    private func letGo() {
        while let (_, payload) = released.read() {
            AudioPlayback.pointer(payload).release()
            released.consume()
        }
    }

    private static func pointer(_ payload: UnsafeRawBufferPointer) -> Unmanaged<AudioSource> {
        let address = payload.loadUnaligned(as: UInt.self)
        // Only addresses of live objects are ever written into the rings.
        return Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
    }

    private func run(_ stop: StopFlag) {
        let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.pipelinePeriodFrames)
        let sources = UnsafeMutableBufferPointer<Unmanaged<AudioSource>?>.allocate(
            capacity: AudioPlayback.maximumSources)
        output.initialize(repeating: 0)
        sources.initialize(repeating: nil)
        defer {
            for source in sources { source?.release() }
            sources.deallocate()
            output.deallocate()
        }
        var mixer = AudioMixer()
        var tones = ToneGenerator()
        var knownTone = 0
        var device = open()
        var discardDeadline = MonotonicClock.now()
        var reopenTime = discardDeadline + AudioPlayback.reopenInterval
        while !stop.isSet {
            allocations.record()
            carryOutOrders(sources)
            let now = MonotonicClock.now()
            mixer.clear()
            for source in sources {
                source?._withUnsafeGuaranteedRef { $0.mixPeriod(into: mixer.sum, at: now) }
            }
            mixer.scale(to: Float(Volume.gain(percent: volumePercent.load(ordering: .relaxed))))
            let toneOrder = wantedTone.load(ordering: .acquiring)
            tones.mix(
                into: mixer.sum, wanted: Tone(rawValue: UInt8(toneOrder & 0xFF)) ?? .none,
                isNew: toneOrder != knownTone,
                gain: Volume.gain(percent: toneVolumePercent.load(ordering: .relaxed)))
            knownTone = toneOrder
            soundingTone.store(tones.tone.rawValue, ordering: .relaxed)
            mixer.finish(into: output)
            if let open = device {
                do throws(DeviceError) {
                    try open.write(UnsafeBufferPointer(output))
                } catch {
                    faults.increment()
                    state.report(.speaker, fault: "\(error)")
                    open.close()
                    device = nil
                    discardDeadline = MonotonicClock.now()
                    reopenTime = discardDeadline + AudioPlayback.reopenInterval
                }
            } else {
                discardDeadline = discardDeadline + .milliseconds(10)
                MonotonicClock.sleep(until: discardDeadline)
                if discardDeadline >= reopenTime {
                    device = self.open()
                    discardDeadline = MonotonicClock.now()
                    reopenTime = discardDeadline + AudioPlayback.reopenInterval
                }
            }
            periods.wrappingAdd(1, ordering: .relaxed)
        }
        device?.close()
    }

    private func carryOutOrders(_ sources: UnsafeMutableBufferPointer<Unmanaged<AudioSource>?>) {
        while let (header, payload) = orders.read() {
            let source = AudioPlayback.pointer(payload)
            var given: Unmanaged<AudioSource>? = nil
            if header.kind == Order.add.rawValue {
                given = source
                for i in 0..<sources.count where sources[i] == nil {
                    sources[i] = source
                    given = nil
                    break
                }
            } else {
                for i in 0..<sources.count where sources[i]?.toOpaque() == source.toOpaque() {
                    given = sources[i]
                    sources[i] = nil
                }
            }
            orders.consume()
            if let given {
                var address = UInt(bitPattern: given.toOpaque())
                withUnsafeBytes(of: &address) { _ = released.write(header, $0) }
            }
        }
    }

    private func open() -> (any AudioPlaybackDevice)? {
        do throws(DeviceError) {
            let device = try registry.openSpeaker(speaker)
            state.report(.speaker, opened: device.name)
            return device
        } catch {
            state.report(.speaker, fault: "\(error)")
            return nil
        }
    }
}
