import MediaTypes

/// The 20 ms that the encoder gets next, put together from periods of 10 ms.
///
/// - Thread: `cb-capture` only; no allocation after `init`.
struct MicrophoneFrame: ~Copyable {
    static let sampleCount = 960

    private let memory: UnsafeMutableBufferPointer<Int16>
    private var filled = 0
    /// When its first sample was captured.
    private(set) var time = MonotonicTime.zero
    /// How many of its samples a device delivered; the others stand in for one.
    private(set) var deviceSampleCount = 0

    init() {
        memory = .allocate(capacity: MicrophoneFrame.sampleCount)
        memory.initialize(repeating: 0)
    }

    deinit {
        memory.deallocate()
    }

    var samples: UnsafeBufferPointer<Int16> { UnsafeBufferPointer(memory) }
    var isEmpty: Bool { filled == 0 }
    var isFull: Bool { filled == memory.count }

    mutating func append(_ period: UnsafeMutableBufferPointer<Int16>, at periodTime: MonotonicTime, isFromDevice: Bool)
    {
        precondition(filled + period.count <= memory.count, "a frame is whole periods")
        if filled == 0 { time = periodTime }
        for index in 0..<period.count { memory[filled + index] = period[index] }
        filled += period.count
        if isFromDevice { deviceSampleCount += period.count }
    }

    /// Forgets everything in it; its length stays.
    mutating func silence() {
        memory.update(repeating: 0)
        deviceSampleCount = 0
    }

    /// Lets the sound begin softly, over the first half: after a mute.
    func fadeIn() {
        let count = memory.count / 2
        for index in 0..<count { memory[index] = Int16(Int(memory[index]) * index / count) }
    }

    mutating func clear() {
        filled = 0
        deviceSampleCount = 0
    }
}
