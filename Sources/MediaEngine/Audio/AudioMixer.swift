import MediaTypes

/// Sums the remote streams of one period and keeps the sum inside 16 bits.
///
/// A limiter with instant attack and slow release: the gain falls at once so that the loudest sample fits, and returns to
/// one by 1/64 of the way per period (about 0.6 s), so that two loud streams never crackle.
/// - Thread: `cb-play` only; no allocation, no lock.
struct AudioMixer: ~Copyable {
    let sum: UnsafeMutableBufferPointer<Int32>
    private var gain: Float = 1
    private var volume: Float = 1

    init() {
        sum = .allocate(capacity: AudioFormat.pipelinePeriodFrames)
        sum.initialize(repeating: 0)
    }

    deinit {
        sum.deallocate()
    }

    func clear() {
        sum.update(repeating: 0)
    }

    /// Scales what is summed up so far. A new volume is reached in the course of this period, without a step.
    mutating func scale(to newVolume: Float) {
        guard newVolume != 1 || volume != 1 else { return }
        let step = (newVolume - volume) / Float(sum.count)
        for i in 0..<sum.count {
            volume += step
            sum[i] = Int32(Float(sum[i]) * volume)
        }
        volume = newVolume
    }

    /// Writes the limited sum into `output`, which has the same count.
    mutating func finish(into output: UnsafeMutableBufferPointer<Int16>) {
        var peak: Int32 = 0
        for sample in sum { peak = max(peak, abs(sample)) }
        let wanted: Float = peak > 32_767 ? 32_767 / Float(peak) : 1
        let target = wanted < gain ? wanted : min(wanted, gain + (1 - gain) / 64)
        if target == 1 && gain == 1 {
            for i in 0..<output.count { output[i] = Int16(truncatingIfNeeded: sum[i]) }
            return
        }
        // A falling gain applies to the whole period, because its peak may be anywhere; a rising one is a ramp.
        var current = min(gain, target)
        let step = (target - current) / Float(output.count)
        for i in 0..<output.count {
            output[i] = Int16(max(-32_768, min(32_767, Float(sum[i]) * current)))
            current += step
        }
        gain = target > 0.999 ? 1 : target
    }
}
