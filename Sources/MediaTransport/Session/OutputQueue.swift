import MediaTypes

/// What was decided and not polled yet, with the bytes that belong to it; grows when it must, up to a limit.
struct OutputQueue: ~Copyable {
    enum Kind: BitwiseCopyable {
        case rtcp
        case audio
        case keyFrameRequested
        case bitrateAllowed
        case remoteLeft
    }

    /// One output; only the fields of its kind mean something.
    struct Record: BitwiseCopyable {
        var kind: Kind
        var line = 0
        var bitrate = Bitrate(bitsPerSecond: 0)
        var sequence: Int64 = 0
        var timestamp: Int64 = 0
        var arrival = MonotonicTime.zero
        var levelDBov: UInt8?
        var hasVoice = false
        var marker = false
        var isRetransmission = false
        var senderTime: Int64?
        fileprivate var offset = 0
        fileprivate var byteCount = 0

        init(kind: Kind, line: Int = 0) {
            self.kind = kind
            self.line = line
        }
    }

    static let recordLimit = 1_024
    static let byteLimit = 256 * 1_024

    private var records: UnsafeMutablePointer<Record>
    private var recordCapacity = 32
    private var head = 0
    private(set) var count = 0
    private var bytes: UnsafeMutableRawPointer
    private var byteCapacity = 8 * 1_024
    private var readOffset = 0
    private var writeOffset = 0

    init() {
        records = .allocate(capacity: recordCapacity)
        bytes = .allocate(byteCount: byteCapacity, alignment: 16)
    }

    deinit {
        records.deallocate()
        bytes.deallocate()
    }

    /// - Returns: false when the limit is reached; the record is then lost.
    mutating func append(_ record: Record, _ payload: UnsafeRawBufferPointer? = nil) -> Bool {
        if count == 0 {
            readOffset = 0
            writeOffset = 0
        }
        let byteCount = payload?.count ?? 0
        guard count < Self.recordLimit else { return false }
        // Bytes are used from the front; they move there when the end is reached.
        if writeOffset + byteCount > byteCapacity {
            compact()
            while writeOffset + byteCount > byteCapacity {
                guard byteCapacity < Self.byteLimit else { return false }
                growBytes()
            }
        }
        if count == recordCapacity { growRecords() }
        var record = record
        record.offset = writeOffset
        record.byteCount = byteCount
        if let payload, byteCount > 0, let source = payload.baseAddress {
            (bytes + writeOffset).copyMemory(from: source, byteCount: byteCount)
        }
        writeOffset += byteCount
        records[(head + count) & (recordCapacity - 1)] = record
        count += 1
        return true
    }

    /// The oldest record; its bytes are valid until the next `append`.
    mutating func removeFirst() -> Record? {
        guard count > 0 else { return nil }
        let record = records[head]
        head = (head + 1) & (recordCapacity - 1)
        count -= 1
        readOffset = record.offset + record.byteCount
        return record
    }

    func payload(_ record: Record) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + record.offset, count: record.byteCount)
    }

    private mutating func compact() {
        guard readOffset > 0 else { return }
        bytes.copyMemory(from: bytes + readOffset, byteCount: writeOffset - readOffset)
        for index in 0..<count { records[(head + index) & (recordCapacity - 1)].offset -= readOffset }
        writeOffset -= readOffset
        readOffset = 0
    }

    private mutating func growBytes() {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity * 2, alignment: 16)
        larger.copyMemory(from: bytes, byteCount: writeOffset)
        bytes.deallocate()
        bytes = larger
        byteCapacity *= 2
    }

    private mutating func growRecords() {
        let larger = UnsafeMutablePointer<Record>.allocate(capacity: recordCapacity * 2)
        for index in 0..<count { larger[index] = records[(head + index) & (recordCapacity - 1)] }
        records.deallocate()
        records = larger
        recordCapacity *= 2
        head = 0
    }
}
