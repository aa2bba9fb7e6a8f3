import MediaTypes

/// The packets of one sent stream: first those that wait for the pacer, then those kept for retransmission.
///
/// ```
/// first ────────── nextUnsent ────────── end        (sequence numbers without gap)
///   sent, kept for a while  │  waiting
/// ```
/// Payloads lie in one ring of bytes that grows when it must, up to its limit; the oldest sent packets make room.
/// Data only; times are given. Sequence numbers are unwrapped.
struct SendHistory: ~Copyable {
    /// What is known of one packet besides its payload.
    struct Packet: BitwiseCopyable {
        var sequence: Int64 = 0
        var timestamp = RTPTimestamp(0)
        var marker = false
        /// Carries the capture time extension.
        var hasCaptureTime = false
        /// −dBov with the voice bit above it; nil for video.
        var levelByte: UInt8?
        var submission = MonotonicTime.zero
        var lastSent = MonotonicTime.zero
        var resendCount: UInt8 = 0
        fileprivate var offset = 0
        fileprivate(set) var byteCount = 0
    }

    private var packets: UnsafeMutablePointer<Packet>
    private var packetCapacity: Int
    private var bytes: UnsafeMutableRawPointer
    private var byteCapacity: Int
    private let byteLimit: Int
    private let packetLimit: Int
    private(set) var first: Int64
    private(set) var nextUnsent: Int64
    private(set) var end: Int64
    /// Where the next payload goes.
    private var writeOffset = 0
    /// Payload bytes that wait for the pacer.
    private(set) var unsentBytes = 0

    /// - Parameters:
    ///   - firstSequence: number of the first packet.
    ///   - byteLimit: the ring never grows beyond; a power of two times `byteCapacity`.
    init(firstSequence: Int64, byteCapacity: Int, byteLimit: Int, packetCapacity: Int, packetLimit: Int) {
        first = firstSequence
        nextUnsent = firstSequence
        end = firstSequence
        self.byteLimit = byteLimit
        self.packetLimit = packetLimit
        self.byteCapacity = byteCapacity
        self.packetCapacity = packetCapacity
        bytes = .allocate(byteCount: byteCapacity, alignment: 16)
        packets = .allocate(capacity: packetCapacity)
        packets.initialize(repeating: Packet(), count: packetCapacity)
    }

    deinit {
        bytes.deallocate()
        packets.deallocate()
    }

    var hasUnsent: Bool { nextUnsent < end }
    var unsentCount: Int { Int(end - nextUnsent) }
    /// Bytes of memory in use.
    var memoryByteCount: Int { byteCapacity + packetCapacity * MemoryLayout<Packet>.stride }

    /// When the packet that has waited longest for the pacer was submitted.
    var oldestUnsent: MonotonicTime? { hasUnsent ? packets[slot(nextUnsent)].submission : nil }

    /// Appends a packet to those that wait.
    /// - Parameter fill: writes exactly `byteCount` bytes of payload.
    /// - Returns: false when it does not fit behind what still waits.
    mutating func append(
        _ packet: Packet, byteCount: Int, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> Bool {
        guard makeRoom(byteCount: byteCount) else { return false }
        var packet = packet
        packet.sequence = end
        packet.offset = writeOffset
        packet.byteCount = byteCount
        fill(UnsafeMutableRawBufferPointer(start: bytes + writeOffset, count: byteCount))
        packets[slot(end)] = packet
        writeOffset += byteCount
        unsentBytes += byteCount
        end += 1
        return true
    }

    /// Whether so many packets of at most `byteCount` bytes together would fit, sent ones given up.
    func hasRoom(packetCount: Int, byteCount: Int) -> Bool {
        // A payload is not divided at the end of the ring: one packet's worth is lost there.
        unsentCount + packetCount <= packetLimit && unsentBytes + byteCount + 2 * 1_500 <= byteLimit
    }

    /// The packet that is to be sent next; it counts as sent from then on.
    mutating func sendNext(at time: MonotonicTime) -> Packet? {
        guard hasUnsent else { return nil }
        let index = slot(nextUnsent)
        packets[index].lastSent = time
        unsentBytes -= packets[index].byteCount
        nextUnsent += 1
        return packets[index]
    }

    /// A packet that was sent and is still here.
    func sentPacket(_ sequence: Int64) -> Packet? {
        guard sequence >= first, sequence < nextUnsent else { return nil }
        return packets[slot(sequence)]
    }

    mutating func noteResent(_ sequence: Int64, at time: MonotonicTime) {
        let index = slot(sequence)
        packets[index].lastSent = time
        packets[index].resendCount += packets[index].resendCount < .max ? 1 : 0
    }

    func payload(_ packet: Packet) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + packet.offset, count: packet.byteCount)
    }

    /// Forgets packets that were submitted before `time`, unless they still wait.
    mutating func forget(submittedBefore time: MonotonicTime) {
        while first < nextUnsent && packets[slot(first)].submission < time { first += 1 }
        if first == end { writeOffset = 0 }
    }

    // MARK: Room

    private func slot(_ sequence: Int64) -> Int { Int(sequence & Int64(packetCapacity - 1)) }

    private mutating func makeRoom(byteCount: Int) -> Bool {
        if Int(end - first) == packetCapacity {
            if packetCapacity < packetLimit {
                growPackets()
            } else if first < nextUnsent {
                first += 1
            } else {
                return false
            }
        }
        while true {
            if first == end { writeOffset = 0 }
            if let offset = freeOffset(byteCount) {
                writeOffset = offset
                return true
            }
            if byteCapacity < byteLimit {
                growBytes()
            } else if first < nextUnsent {
                first += 1
            } else {
                return false
            }
        }
    }

    /// Where so many bytes fit in one piece, behind the newest payload.
    private func freeOffset(_ byteCount: Int) -> Int? {
        if first == end { return byteCount <= byteCapacity ? 0 : nil }
        let oldest = packets[slot(first)].offset
        if writeOffset > oldest {
            if writeOffset + byteCount <= byteCapacity { return writeOffset }
            return byteCount <= oldest ? 0 : nil
        }
        return writeOffset + byteCount <= oldest ? writeOffset : nil
    }

    private mutating func growPackets() {
        let larger = UnsafeMutablePointer<Packet>.allocate(capacity: packetCapacity * 2)
        larger.initialize(repeating: Packet(), count: packetCapacity * 2)
        for sequence in first..<end {
            larger[Int(sequence & Int64(packetCapacity * 2 - 1))] = packets[slot(sequence)]
        }
        packets.deallocate()
        packets = larger
        packetCapacity *= 2
    }

    private mutating func growBytes() {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity * 2, alignment: 16)
        var offset = 0
        for sequence in first..<end {
            let index = slot(sequence)
            let count = packets[index].byteCount
            (larger + offset).copyMemory(from: bytes + packets[index].offset, byteCount: count)
            packets[index].offset = offset
            offset += count
        }
        bytes.deallocate()
        bytes = larger
        byteCapacity *= 2
        writeOffset = offset
    }
}
