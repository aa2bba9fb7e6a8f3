import Codecs
import Devices
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// The microphone's way to the network, on a thread of its own.
///
/// ```
/// microphone 10 ms ─▶ (silence when off) ─▶ level ─▶ 20 ms ─▶ Opus ─▶ ring ─▶ cb-net
/// ```
/// A microphone that is missing or goes away is replaced by silence on a real clock and opened again every second; the
/// stream's timestamps never stop.
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

    static let frameSamples = 960
    static let reopenInterval = Interval.seconds(1)

    /// Encoded frames: `timestamp` counts 48 kHz samples, `value` is the level, `flags` bit 0 is voice, bit 1 the marker.
    package let packets: RecordRing
    private let registry: DeviceRegistry
    private let settings: Settings
    private let encoder: OpusEncoder
    private let isMuted = Atomic<Bool>(false)
    private let isNeeded = Atomic<Bool>(false)
    private let level = Atomic<Int>(Int(AudioLoudness.silence))
    private let encodedSamples = Atomic<Int>(0)
    private let faults = Counter("microphone.faults")
    private let state: DeviceState
    /// Allocations of cb-capture.
    package let allocations = AllocationProbe()
    private let thread = Mutex<RealtimeThread?>(nil)

    package init(settings: Settings, registry: DeviceRegistry, readySignal: EventSignal, state: DeviceState)
        throws(CodecError)
    {
        self.settings = settings
        self.registry = registry
        self.state = state
        packets = RecordRing(capacityBytes: 32 * 1_024, readySignal: readySignal)
        encoder = try OpusEncoder(
            bitrate: settings.bitrate, usesFEC: settings.usesFEC, usesDTX: settings.usesDTX, expectedLossPercent: 10)
    }

    package func start() throws(SystemError) {
        let handle = try RealtimeThread(name: "cb-capture", priority: .realtime(20)) { stop in
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

    package func setMuted(_ muted: Bool) { isMuted.store(muted, ordering: .relaxed) }
    /// Without anybody to send to, nothing is encoded.
    package func setNeeded(_ needed: Bool) { isNeeded.store(needed, ordering: .relaxed) }
    package var levelDBov: Int { level.load(ordering: .relaxed) }
    package var encodedSeconds: Double { Double(encodedSamples.load(ordering: .relaxed)) / 48_000 }

    private func run(_ stop: StopFlag) {
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.pipelinePeriodFrames)
        let frame = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioCapture.frameSamples)
        let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_500, alignment: 16)
        period.initialize(repeating: 0)
        frame.initialize(repeating: 0)
        defer {
            period.deallocate()
            frame.deallocate()
            packet.deallocate()
        }
        var device = open()
        var silenceDeadline = MonotonicClock.now()
        var reopenTime = silenceDeadline + AudioCapture.reopenInterval
        var filled = 0
        var timestamp: Int64 = 0
        var wasSilent = true
        while !stop.isSet {
            allocations.record()
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
                    continue
                }
            } else {
                silenceDeadline = silenceDeadline + .milliseconds(10)
                MonotonicClock.sleep(until: silenceDeadline)
                period.update(repeating: 0)
                if silenceDeadline >= reopenTime {
                    device = self.open()
                    reopenTime = MonotonicClock.now() + AudioCapture.reopenInterval
                }
            }
            if isMuted.load(ordering: .relaxed) { period.update(repeating: 0) }
            frame.baseAddress?.advanced(by: filled).update(
                from: UnsafePointer(period.baseAddress!), count: period.count)
            filled += period.count
            guard filled >= AudioCapture.frameSamples else { continue }
            filled = 0
            let frameTimestamp = timestamp
            timestamp += Int64(AudioCapture.frameSamples)
            let loudness = AudioLoudness.decibelsBelowOverload(UnsafeBufferPointer(frame))
            level.store(Int(loudness), ordering: .relaxed)
            guard isNeeded.load(ordering: .relaxed) else {
                wasSilent = true
                continue
            }
            do throws(CodecError) {
                let count = try encoder.encode(UnsafeBufferPointer(frame), into: packet)
                encodedSamples.wrappingAdd(AudioCapture.frameSamples, ordering: .relaxed)
                // Two bytes or fewer say "nothing to send" (RFC 6716 §2.1.9, libopus' DTX).
                guard count > 2 else {
                    wasSilent = true
                    continue
                }
                let isVoice: UInt32 = loudness < 50 ? 1 : 0
                let header = RecordHeader(
                    kind: 0, flags: isVoice | (wasSilent ? 2 : 0), sequence: 0, timestamp: frameTimestamp,
                    time: captureTime, value: Int64(loudness))
                _ = packets.write(header, UnsafeRawBufferPointer(rebasing: packet[..<count]))
                wasSilent = false
            } catch {
                faults.increment()
            }
        }
        device?.close()
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
