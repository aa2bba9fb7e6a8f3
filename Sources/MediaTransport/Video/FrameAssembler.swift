/// Puts the packets of one VP8 stream into order and finds frames that are complete and can be decoded.
///
/// A delta frame can be decoded when it follows the last frame without a gap in the sequence numbers; a key frame always.
/// Data only: no time. Sequence numbers and timestamps are unwrapped.
struct FrameAssembler: ~Copyable {
    /// One packet, its payload descriptor already taken off.
    struct Packet {
        var sequence: Int64
        var timestamp: Int64
        /// Last of its frame.
        var marker: Bool
        /// First of its frame.
        var startsFrame: Bool
        /// Meaningful where `startsFrame`.
        var isKeyFrame: Bool
        /// Empty for a packet that only keeps the sequence whole (padding).
        var payload: UnsafeRawBufferPointer
    }

    enum Insertion: Equatable, BitwiseCopyable {
        case stored
        /// Behind what was handed on already.
        case old
        case duplicate
        /// Stored, but it belongs to a delta frame that follows another one, and no key frame stands before them.
        case useless
        /// No memory: everything up to the newest key frame is thrown away.
        case full
    }

    /// A complete frame that can be decoded now.
    struct Frame: Equatable, BitwiseCopyable {
        var first: Int64
        var last: Int64
        var timestamp: Int64
        var isKeyFrame: Bool
        var byteCount: Int
    }

    /// Packets between the oldest and the newest that are kept.
    static let windowSize: Int64 = 1_024
    /// Packets before the very first one that may still come.
    static let startMargin: Int64 = 64
    static let keyStartLimit = 8
    /// Packets that are kept while no key frame has begun: the first packet of one may be late.
    static let patience: Int64 = 256

    private struct Entry: BitwiseCopyable {
        var sequence = Int64.min
        var timestamp: Int64 = 0
        var slot: Int32 = -1
        var byteCount: Int32 = 0
        var marker = false
        var startsFrame = false
        var isKeyFrame = false
        /// Padding.
        var isHollow = false
    }

    /// A key frame that has begun: where, and up to where it is whole.
    private struct KeyStart: BitwiseCopyable {
        var sequence: Int64 = 0
        var scan: Int64 = 0
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let pool: PacketPool
    private let keyStarts: UnsafeMutablePointer<KeyStart>
    private var keyStartCount = 0
    /// First packet of the frame that must come next; nil while only a key frame helps.
    private(set) var next: Int64?
    /// Everything from `next` up to here is there and belongs to one frame.
    private var scan: Int64 = 0
    private var floor: Int64?
    private(set) var highest: Int64?
    /// Frames thrown away unfinished or because they could not be decoded.
    private(set) var droppedFrames: Int64 = 0

    init(pool: PacketPool) {
        self.pool = pool
        entries = .allocate(capacity: Int(Self.windowSize))
        entries.initialize(repeating: Entry(), count: Int(Self.windowSize))
        keyStarts = .allocate(capacity: Self.keyStartLimit)
        keyStarts.initialize(repeating: KeyStart(), count: Self.keyStartLimit)
    }

    deinit {
        for index in 0..<Int(Self.windowSize) where entries[index].slot >= 0 { pool.release(entries[index].slot) }
        entries.deallocate()
        keyStarts.deallocate()
    }

    var needsKeyFrame: Bool { next == nil }

    /// Whether packets are here that cannot be handed on yet.
    var isBlocked: Bool {
        guard let highest else { return false }
        return highest >= next ?? floor ?? .max
    }

    mutating func insert(_ packet: Packet) -> Insertion {
        let sequence = packet.sequence
        if floor == nil { floor = sequence - Self.startMargin }
        guard let start = floor, sequence >= start else { return .old }
        var result = Insertion.stored
        if sequence >= start + Self.windowSize {
            makeRoom(for: sequence)
            result = .full
        }
        let index = place(sequence)
        guard entries[index].sequence != sequence else { return .duplicate }
        var entry = Entry(
            sequence: sequence, timestamp: packet.timestamp, byteCount: Int32(packet.payload.count),
            marker: packet.marker, startsFrame: packet.startsFrame,
            isKeyFrame: packet.startsFrame && packet.isKeyFrame)
        if packet.payload.isEmpty {
            entry.isHollow = true
        } else if let slot = pool.store(packet.payload) {
            entry.slot = slot
        } else {
            makeRoom(for: sequence)
            guard sequence >= floor ?? .max, let slot = pool.store(packet.payload) else { return .full }
            entry.slot = slot
            result = .full
        }
        release(index)
        entries[index] = entry
        highest = max(highest ?? sequence, sequence)
        if entry.isKeyFrame { addKeyStart(sequence) }
        guard next == nil && keyStartCount == 0 else { return result }
        if sequence - (floor ?? sequence) > Self.patience {
            forget(from: floor ?? sequence, upTo: sequence - Self.patience / 2)
            floor = sequence - Self.patience / 2
        }
        return entry.startsFrame && followsDeltaFrame(sequence) ? .useless : result
    }

    /// The next frame to hand on, or nil. `take` it before asking again.
    mutating func nextFrame() -> Frame? {
        if var start = next {
            while entries[place(start)].sequence == start && entries[place(start)].isHollow {
                discard(start)
                start += 1
                next = start
                floor = start
                scan = start
            }
            var reached = max(scan, start)
            let frame = complete(from: start, scan: &reached)
            scan = reached
            if let frame { return frame }
        }
        var index = keyStartCount - 1
        while index >= 0 {
            var start = keyStarts[index]
            if start.sequence > next ?? .min {
                let frame = complete(from: start.sequence, scan: &start.scan)
                keyStarts[index] = start
                if let frame { return frame }
            }
            index -= 1
        }
        return nil
    }

    /// Copies a frame that `nextFrame` gave, and goes on behind it. A frame that does not fit into `buffer` is not copied.
    mutating func take(_ frame: Frame, into buffer: UnsafeMutableRawBufferPointer?) {
        if let start = floor, start < frame.first { forget(from: start, upTo: frame.first) }
        var offset = 0
        var sequence = frame.first
        while sequence <= frame.last {
            let entry = entries[place(sequence)]
            if let start = buffer?.baseAddress, entry.slot >= 0 {
                pool.copy(entry.slot, byteCount: Int(entry.byteCount), to: start + offset)
                offset += Int(entry.byteCount)
            }
            discard(sequence)
            sequence += 1
        }
        next = frame.last + 1
        floor = frame.last + 1
        scan = frame.last + 1
        dropKeyStarts(below: frame.last + 1)
    }

    /// Gives up the chain: only a key frame helps now.
    mutating func breakChain() {
        next = nil
    }

    /// Forgets everything; the next packet starts a new stream.
    mutating func reset() {
        if let start = floor, let end = highest { forget(from: start, upTo: end + 1) }
        next = nil
        floor = nil
        highest = nil
        keyStartCount = 0
    }

    // MARK: Completeness

    /// Whether the frame that begins at `first` is all here; `scan` remembers how far it is whole.
    private func complete(from first: Int64, scan: inout Int64) -> Frame? {
        let head = entries[place(first)]
        guard head.sequence == first, head.startsFrame, !head.isHollow else { return nil }
        scan = max(scan, first)
        while true {
            let entry = entries[place(scan)]
            guard entry.sequence == scan else { return nil }
            // A frame also ends where the next one begins, if its marker bit is not set.
            if scan > first && (entry.timestamp != head.timestamp || entry.isHollow) {
                return frame(head, last: scan - 1)
            }
            scan += 1
            if entry.marker {
                defer { scan = first }
                return frame(head, last: scan - 1)
            }
        }
    }

    private func frame(_ head: Entry, last: Int64) -> Frame {
        var byteCount = 0
        var sequence = head.sequence
        while sequence <= last {
            byteCount += Int(entries[place(sequence)].byteCount)
            sequence += 1
        }
        return Frame(
            first: head.sequence, last: last, timestamp: head.timestamp, isKeyFrame: head.isKeyFrame,
            byteCount: byteCount)
    }

    /// Whether the frame before the one that begins at `sequence` is known to be a delta frame.
    private func followsDeltaFrame(_ sequence: Int64) -> Bool {
        var before = sequence - 1
        while true {
            let entry = entries[place(before)]
            guard entry.sequence == before else { return false }
            if entry.startsFrame { return !entry.isKeyFrame }
            before -= 1
        }
    }

    // MARK: Room

    private mutating func addKeyStart(_ sequence: Int64) {
        if keyStartCount == Self.keyStartLimit { dropKeyStarts(below: keyStarts[0].sequence + 1) }
        var index = keyStartCount
        while index > 0 && keyStarts[index - 1].sequence > sequence {
            keyStarts[index] = keyStarts[index - 1]
            index -= 1
        }
        keyStarts[index] = KeyStart(sequence: sequence, scan: sequence)
        keyStartCount += 1
    }

    private mutating func dropKeyStarts(below sequence: Int64) {
        var kept = 0
        for index in 0..<keyStartCount where keyStarts[index].sequence >= sequence {
            keyStarts[kept] = keyStarts[index]
            kept += 1
        }
        keyStartCount = kept
    }

    /// Throws away what stands before the newest key frame, or everything if that is not enough.
    private mutating func makeRoom(for sequence: Int64) {
        next = nil
        guard let start = floor, let end = highest else { return }
        if keyStartCount > 0 {
            let newest = keyStarts[keyStartCount - 1].sequence
            if newest > start && sequence < newest + Self.windowSize {
                forget(from: start, upTo: newest)
                dropKeyStarts(below: newest)
                floor = newest
                return
            }
        }
        forget(from: start, upTo: end + 1)
        keyStartCount = 0
        floor = max(start, sequence - Self.startMargin)
    }

    private mutating func forget(from start: Int64, upTo end: Int64) {
        var sequence = max(start, end - Self.windowSize)
        while sequence < end {
            let entry = entries[place(sequence)]
            if entry.sequence == sequence && entry.startsFrame && !entry.isHollow { droppedFrames += 1 }
            discard(sequence)
            sequence += 1
        }
    }

    private mutating func discard(_ sequence: Int64) {
        let index = place(sequence)
        guard entries[index].sequence == sequence else { return }
        release(index)
        entries[index].sequence = .min
    }

    private mutating func release(_ index: Int) {
        guard entries[index].slot >= 0 else { return }
        pool.release(entries[index].slot)
        entries[index].slot = -1
    }

    private func place(_ sequence: Int64) -> Int { Int(sequence & (Self.windowSize - 1)) }
}
