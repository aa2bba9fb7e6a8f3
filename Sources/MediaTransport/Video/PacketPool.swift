/// Slots for the payloads of received video packets, shared by all lines of one session.
///
/// Memory is taken in slabs when it is needed for the first time, and kept; the slot that was freed last is used first.
/// - Thread: that of its owner.
final class PacketPool {
    static let slotBytes = 1_472
    static let slotsInSlab = 16
    /// 736 KB at most: one frame of the largest size and what comes behind it.
    static let slotLimit = 512

    private var slabs: [UnsafeMutableRawPointer] = []
    private var free: [Int32] = []
    private(set) var usedCount = 0

    init() {
        slabs.reserveCapacity(Self.slotLimit / Self.slotsInSlab)
        free.reserveCapacity(Self.slotLimit)
    }

    deinit {
        for slab in slabs { slab.deallocate() }
    }

    /// A free slot with a copy of `payload`; nil when every slot is in use.
    func store(_ payload: UnsafeRawBufferPointer) -> Int32? {
        precondition(payload.count <= Self.slotBytes, "longer payloads are refused before")
        if free.isEmpty { addSlab() }
        guard let slot = free.popLast() else { return nil }
        usedCount += 1
        UnsafeMutableRawBufferPointer(start: address(slot), count: Self.slotBytes).copyMemory(from: payload)
        return slot
    }

    func copy(_ slot: Int32, byteCount: Int, to target: UnsafeMutableRawPointer) {
        target.copyMemory(from: address(slot), byteCount: byteCount)
    }

    func release(_ slot: Int32) {
        usedCount -= 1
        free.append(slot)
    }

    private func address(_ slot: Int32) -> UnsafeMutableRawPointer {
        slabs[Int(slot) / Self.slotsInSlab] + Int(slot) % Self.slotsInSlab * Self.slotBytes
    }

    private func addSlab() {
        let first = slabs.count * Self.slotsInSlab
        guard first < Self.slotLimit else { return }
        slabs.append(.allocate(byteCount: Self.slotsInSlab * Self.slotBytes, alignment: 16))
        for slot in stride(from: first + Self.slotsInSlab - 1, through: first, by: -1) { free.append(Int32(slot)) }
    }
}
