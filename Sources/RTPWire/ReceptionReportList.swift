/// The report blocks of one sender or receiver report, read in place.
package struct ReceptionReportList: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// - Parameter bytes: whole blocks.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var count: Int { (bytes.count - offset) / ReceptionReport.byteCount }

    package mutating func next() -> ReceptionReport? {
        guard bytes.count - offset >= ReceptionReport.byteCount else { return nil }
        defer { offset += ReceptionReport.byteCount }
        return ReceptionReport(bytes, at: offset)
    }
}
