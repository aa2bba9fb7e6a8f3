import Devices
import Glibc
import MediaTypes
import Realtime

/// Plays a tone of 1 kHz and listens for it, on two threads as the endpoint does; opens what fails again.
final class LoopProbe {
    private let microphone: DeviceSpecifier
    private let speaker: DeviceSpecifier

    init(microphone: DeviceSpecifier, speaker: DeviceSpecifier) {
        self.microphone = microphone
        self.speaker = speaker
    }

    func run(for time: Interval) {
        let speaker = speaker
        let end = MonotonicClock.now() + time
        let thread: RealtimeThread
        do {
            thread = try RealtimeThread(name: "cb-play", priority: .realtime(20)) { _ in
                LoopProbe.repeatedly(until: end, "speaker") { () throws(DeviceError) in
                    try LoopProbe.play(speaker, until: end)
                }
            }
        } catch {
            ProbeText.print("error: \(error)")
            return
        }
        var heard = LoopMeter()
        LoopProbe.repeatedly(until: end, "microphone") { () throws(DeviceError) in
            try LoopProbe.listen(microphone, until: end, &heard)
        }
        thread.stopAndJoin()
        ProbeText.print(
            "total seconds=\(heard.secondCount) with_tone=\(heard.toneCount)"
                + " cpu_s=\(ProbeText.hundredths(ProbeText.processorSeconds))")
    }

    private static func repeatedly(
        until end: MonotonicTime, _ what: String, _ body: () throws(DeviceError) -> Void
    ) {
        var last = ""
        while MonotonicClock.now() < end {
            do throws(DeviceError) {
                try body()
            } catch {
                if error.description != last { ProbeText.print("\(what) error: \(error)") }
                last = error.description
                MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(250))
            }
        }
    }

    private static func play(_ specifier: DeviceSpecifier, until end: MonotonicTime) throws(DeviceError) {
        let device = try DeviceRegistry().openSpeaker(specifier)
        defer { device.close() }
        ProbeText.print("speaker opened")
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.pipelinePeriodFrames)
        defer { period.deallocate() }
        // Ten periods of the tone fill the 10 ms.
        for index in 0..<period.count { period[index] = Int16(10_000 * sin(2 * Double.pi * Double(index % 48) / 48)) }
        var delays = 0
        var periodCount = 0
        while MonotonicClock.now() < end {
            try device.write(UnsafeBufferPointer(period))
            delays += device.delayFrames
            periodCount += 1
        }
        ProbeText.print(
            "speaker periods=\(periodCount) interruptions=\(device.interruptionCount)"
                + " mean_delay_ms=\(delays / max(1, periodCount) / 48)")
    }

    private static func listen(
        _ specifier: DeviceSpecifier, until end: MonotonicTime, _ meter: inout LoopMeter
    ) throws(DeviceError) {
        let device = try DeviceRegistry().openMicrophone(specifier)
        defer { device.close() }
        ProbeText.print("microphone opened")
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: AudioFormat.pipelinePeriodFrames)
        defer { period.deallocate() }
        period.initialize(repeating: 0)
        while MonotonicClock.now() < end {
            let time = try device.read(into: period)
            guard meter.accept(period) else { continue }
            ProbeText.print(
                "heard tone_share=\(ProbeText.hundredths(meter.share)) age_ms=\((MonotonicClock.now() - time).milliseconds)"
                    + " interruptions=\(device.interruptionCount)")
        }
    }
}
