import Codecs
import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// The microphone's way to the network, on a thread of its own.
///
/// ```
/// microphone 10 ms ─▶ 20 ms ─▶ level ─▶ Opus (the packet of silence when muted) ─▶ ring ─▶ cb-net
/// ```
/// A microphone that is missing or goes away is replaced by silence on a real clock and opened again every second. A
/// closed one (`setOpen`) sends nothing at all. The stream's timestamps follow the clock through all of it.
// @unchecked: device, encoder and buffers belong to cb-capture; what crosses threads is atomic or a ring.
package final class AudioCapture: @unchecked Sendable {
    package struct Settings: Sendable {
        package var microphone: DeviceSpecifier
        package var bitrate: Bitrate
        package var usesFEC: Bool
        package var usesDTX: Bool

        package init(microphone: DeviceSpecifier, bitrate: Bitrate, usesFEC: Bool, usesDTX: Bool) {
            self.microphone = microphone
            self.bitrate = bitrate
            self.usesFEC = usesFEC
            self.usesDTX = usesDTX
        }
    }

    static let reopenInterval = Interval.seconds(1)
    /// With DTX one frame in so many is sent during silence: every 400 ms, as libopus does.
    private static let silenceInterval = 20

    /// Encoded frames: `timestamp` counts 48 kHz samples, `value` is the level, `flags` bit 0 is voice, bit 1 the marker.
    package let packets: RecordRing
    private let registry: DeviceRegistry
    private let settings: Settings
    private let encoder: OpusEncoder
    private let isOpenWanted = Atomic<Bool>(true)
    private let isSilenced = Atomic<Bool>(false)
    private let isNeeded = Atomic<Bool>(false)
    private let wakeSignal: EventSignal
    private let level = Atomic<Int>(Int(AudioLoudness.silence))
    private let encodedSamples = Atomic<Int>(0)
    private let sentSamples = Atomic<Int>(0)
    private let faults = Counter("microphone.faults")
    private let state: DeviceState
    /// Allocations of cb-capture.
    package let allocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    package init(settings: Settings, registry: DeviceRegistry, readySignal: EventSignal, state: DeviceState)
        throws(MediaEngineError)
    {
        self.settings = settings
        self.registry = registry
        self.state = state
        packets = RecordRing(capacityBytes: 32 * 1_024, readySignal: readySignal)
        do throws(SystemError) {
            wakeSignal = try EventSignal()
        } catch {
            throw .system(error)
        }
        do throws(CodecError) {
            encoder = try OpusEncoder(
                bitrate: settings.bitrate, usesFEC: settings.usesFEC, usesDTX: settings.usesDTX,
                expectedLossPercent: 10)
        } catch {
            throw .codec(error)
        }
    }

    package func start() throws(SystemError) {
        let handle = try RealtimeThread(
            name: "cb-capture", priority: .realtime(20), wakeSignal: wakeSignal,
            patience: Heartbeat.devicePatience
        ) { stop in
            self.run(stop)
        }
        thread.withLock { $0 = handle }
    }

    /// Returns when the thread has ended and the microphone is closed.
    package func stop() {
        thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }?.stopAndJoin()
    }

    /// Closed: no device is open and nothing is sent; the thread only waits. Open is the state before the first call,
    /// which may come before `start`. A microphone that works delivers within a few periods after it is opened.
    package func setOpen(_ open: Bool) {
        isOpenWanted.store(open, ordering: .relaxed)
        wakeSignal.signal()
    }

    /// Muted: the device stays open, and what is sent is exact silence, from the frame on that is being recorded now
    /// (20 ms); no sample of the microphone reaches the encoder.
    package func setMuted(_ muted: Bool) { isSilenced.store(muted, ordering: .relaxed) }
    /// Without anybody to send to, nothing is encoded.
    package func setNeeded(_ needed: Bool) { isNeeded.store(needed, ordering: .relaxed) }

    package var isOpen: Bool { isOpenWanted.load(ordering: .relaxed) }
    package var isMuted: Bool { isSilenced.load(ordering: .relaxed) }
    package var levelDBov: Int { level.load(ordering: .relaxed) }
    package var encodedSeconds: Double { Double(encodedSamples.load(ordering: .relaxed)) / 48_000 }
    /// Samples that came from the microphone and were given to the encoder: stands still while muted, while closed, and
    /// while there is nobody to send to.
    package var microphoneSamplesSent: Int { sentSamples.load(ordering: .relaxed) }

    private func run(_ stop: StopFlag) {
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.pipelinePeriodFrames)
        let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_500, alignment: 16)
        period.initialize(repeating: 0)
        defer {
            period.deallocate()
            packet.deallocate()
        }
        var frame = MicrophoneFrame()
        var sending = Sending()
        var device: (any AudioCaptureDevice)?
        var silenceDeadline = MonotonicTime.zero
        var reopenTime = MonotonicTime.zero
        var isRunning = false
        while !stop.isSet {
            allocations.record()
            guard isOpenWanted.load(ordering: .relaxed) else {
                device?.close()
                device = nil
                isRunning = false
                level.store(Int(AudioLoudness.silence), ordering: .relaxed)
                state.report(.microphone, closed: "not needed now")
                _ = wakeSignal.wait(timeoutMilliseconds: -1)
                continue
            }
            if !isRunning {
                isRunning = true
                // What came before the pause must not sound in what comes after it.
                encoder.reset()
                reopenTime = .zero
                silenceDeadline = MonotonicClock.now()
                interrupt(&frame, &sending)
            }
            var captureTime = silenceDeadline
            if let open = device {
                do throws(DeviceError) {
                    captureTime = try open.read(into: period)
                } catch {
                    faults.increment()
                    state.report(.microphone, fault: "\(error)")
                    open.close()
                    device = nil
                    silenceDeadline = MonotonicClock.now()
                    reopenTime = silenceDeadline + AudioCapture.reopenInterval
                    interrupt(&frame, &sending)
                    continue
                }
            } else if silenceDeadline >= reopenTime {
                device = open()
                // Opening takes time, with or without success.
                silenceDeadline = MonotonicClock.now()
                reopenTime = silenceDeadline + AudioCapture.reopenInterval
                interrupt(&frame, &sending)
                continue
            } else {
                silenceDeadline = silenceDeadline + .milliseconds(10)
                MonotonicClock.sleep(until: silenceDeadline)
                period.update(repeating: 0)
            }
            frame.append(period, at: captureTime, isFromDevice: device != nil)
            guard frame.isFull else { continue }
            send(&frame, &sending, packet)
            frame.clear()
        }
        device?.close()
    }

    /// The sound has a gap: what was recorded before it is thrown away, and the timestamps go on by the clock.
    private func interrupt(_ frame: inout MicrophoneFrame, _ sending: inout Sending) {
        frame.clear()
        sending.isInterrupted = true
    }

    /// What `send` remembers from frame to frame.
    private struct Sending {
        var timeline = SampleTimeline()
        var isInterrupted = true
        /// Nothing was sent before: the next packet begins a talk spurt (the RTP marker).
        var wasPaused = true
        /// Frames of silence in a row.
        var silenceCount = 0
    }

    private func send(
        _ frame: inout MicrophoneFrame, _ sending: inout Sending, _ packet: UnsafeMutableRawBufferPointer
    ) {
        if sending.isInterrupted {
            sending.timeline.resume(at: frame.time)
            sending.isInterrupted = false
            sending.wasPaused = true
        }
        let timestamp = sending.timeline.timestamp
        sending.timeline.advance(by: MicrophoneFrame.sampleCount)
        // Asked as late as possible, for the whole frame: nothing recorded before is sent after.
        if isSilenced.load(ordering: .relaxed) { frame.silence() }
        let isSilence = frame.deviceSampleCount == 0
        if !isSilence && sending.silenceCount > 0 {
            // What was said before the silence must not sound in what comes after it.
            encoder.reset()
            frame.fadeIn()
        }
        sending.silenceCount = isSilence ? sending.silenceCount + 1 : 0
        let loudness = AudioLoudness.decibelsBelowOverload(frame.samples)
        level.store(Int(loudness), ordering: .relaxed)
        guard isNeeded.load(ordering: .relaxed), isOpenWanted.load(ordering: .relaxed) else {
            sending.wasPaused = true
            return
        }
        guard let count = encode(frame, silenceCount: sending.silenceCount, into: packet) else {
            sending.wasPaused = true
            return
        }
        let isVoice: UInt32 = loudness < 50 ? 1 : 0
        let header = RecordHeader(
            kind: 0, flags: isVoice | (sending.wasPaused ? 2 : 0), sequence: 0, timestamp: timestamp, time: frame.time,
            value: Int64(loudness))
        _ = packets.write(header, UnsafeRawBufferPointer(rebasing: packet[..<count]))
        sending.wasPaused = false
    }

    /// - Returns: bytes of the packet; nil when nothing need be sent.
    private func encode(
        _ frame: borrowing MicrophoneFrame, silenceCount: Int, into packet: UnsafeMutableRawBufferPointer
    ) -> Int? {
        encodedSamples.wrappingAdd(MicrophoneFrame.sampleCount, ordering: .relaxed)
        if silenceCount > 0 {
            let isLeftOut = settings.usesDTX && silenceCount % AudioCapture.silenceInterval != 1
            return isLeftOut ? nil : OpusSilence.write(into: packet)
        }
        sentSamples.wrappingAdd(frame.deviceSampleCount, ordering: .relaxed)
        do throws(CodecError) {
            let count = try encoder.encode(frame.samples, into: packet)
            // Two bytes or fewer say "nothing to send" (RFC 6716 §2.1.9, libopus' DTX).
            return count > 2 ? count : nil
        } catch {
            faults.increment()
            return nil
        }
    }

    private func open() -> (any AudioCaptureDevice)? {
        do throws(DeviceError) {
            let device = try registry.openMicrophone(settings.microphone)
            state.report(.microphone, opened: device.name)
            return device
        } catch {
            state.report(.microphone, fault: "\(error)")
            return nil
        }
    }
}
