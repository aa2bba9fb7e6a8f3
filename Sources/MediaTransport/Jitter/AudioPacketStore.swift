/// The packets of one audio stream in the order of their timestamps, in a fixed number of slots.
///
/// Data only: no time. No allocation after `init`; the slot that was freed last is used first, so that little memory is
/// ever touched.
struct AudioPacketStore: ~Copyable {
    /// What is known of one packet besides its payload.
    struct Packet: BitwiseCopyable {
        var timestamp: Int64
        var sequence: Int64
        /// How much audio it carries, in frames of 48 kHz.
        var frames: Int64
        var isQuiet = false
        var isDTX = false
        var hasFEC = false
        fileprivate var byteCount = 0

        init(timestamp: Int64, sequence: Int64, frames: Int64) {
            self.timestamp = timestamp
            self.sequence = sequence
            self.frames = frames
        }
    }

    enum Insertion: Equatable, BitwiseCopyable {
        case stored
        case duplicate
        /// Every slot was taken: the oldest packet made room.
        case displacedOldest
        /// Every slot is taken by newer packets.
        case refused
    }

    static let slotCount = 64
    static let slotBytes = 1_280

    private let bytes: UnsafeMutablePointer<UInt8>
    private let packets: UnsafeMutablePointer<Packet>
    /// Slot numbers in the order of their timestamps.
    private let order: UnsafeMutablePointer<Int>
    private let free: UnsafeMutablePointer<Int>
    private var freeCount = AudioPacketStore.slotCount
    private(set) var count = 0
    /// The slot whose bytes somebody still reads.
    private var lentSlot: Int?

    init() {
        bytes = .allocate(capacity: Self.slotCount * Self.slotBytes)
        packets = .allocate(capacity: Self.slotCount)
        packets.initialize(repeating: Packet(timestamp: 0, sequence: 0, frames: 0), count: Self.slotCount)
        order = .allocate(capacity: Self.slotCount)
        order.initialize(repeating: 0, count: Self.slotCount)
        free = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (free + index).initialize(to: Self.slotCount - 1 - index) }
    }

    deinit {
        bytes.deallocate()
        packets.deallocate()
        order.deallocate()
        free.deallocate()
    }

    /// The oldest packet, or nil.
    var head: Packet? { count > 0 ? packets[order[0]] : nil }

    /// The oldest packet's bytes; valid until the next change.
    var headPayload: UnsafeRawBufferPointer {
        precondition(count > 0, "there is a packet")
        return payload(order[0])
    }

    /// Copies a packet in.
    /// - Parameter payload: at most `slotBytes`.
    mutating func insert(_ packet: Packet, _ payload: UnsafeRawBufferPointer) -> Insertion {
        precondition(payload.count <= Self.slotBytes, "longer packets are refused before")
        var place = count
        while place > 0 && packets[order[place - 1]].timestamp > packet.timestamp { place -= 1 }
        if place > 0 && packets[order[place - 1]].timestamp == packet.timestamp { return .duplicate }
        var result = Insertion.stored
        if freeCount == 0 {
            guard place > 0 else { return .refused }
            removeHead()
            place -= 1
            result = .displacedOldest
        }
        freeCount -= 1
        let slot = free[freeCount]
        var index = count
        while index > place {
            order[index] = order[index - 1]
            index -= 1
        }
        order[place] = slot
        count += 1
        packets[slot] = packet
        packets[slot].byteCount = payload.count
        UnsafeMutableRawBufferPointer(start: bytes + slot * Self.slotBytes, count: Self.slotBytes)
            .copyMemory(from: payload)
        return result
    }

    mutating func removeHead() {
        precondition(count > 0, "there is a packet")
        release(detachHead())
    }

    /// Takes the oldest packet out, but keeps its bytes until `takeBack`.
    mutating func lendHead() -> UnsafeRawBufferPointer {
        precondition(count > 0 && lentSlot == nil, "one packet is lent at a time")
        let slot = detachHead()
        lentSlot = slot
        return payload(slot)
    }

    /// The lent bytes are no longer read.
    mutating func takeBack() {
        guard let slot = lentSlot else { return }
        lentSlot = nil
        release(slot)
    }

    private func payload(_ slot: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + slot * Self.slotBytes, count: packets[slot].byteCount)
    }

    private mutating func detachHead() -> Int {
        let slot = order[0]
        count -= 1
        for index in 0..<count { order[index] = order[index + 1] }
        return slot
    }

    private mutating func release(_ slot: Int) {
        free[freeCount] = slot
        freeCount += 1
    }
}
