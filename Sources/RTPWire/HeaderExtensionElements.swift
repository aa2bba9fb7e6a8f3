/// Walks the header extension elements of one packet in both forms of RFC 8285; stops at the first malformed one.
package struct HeaderExtensionElements: IteratorProtocol, Sequence {
    /// One element: its local identifier and its bytes inside the packet.
    package struct Element {
        package var id: UInt8
        package var value: UnsafeRawBufferPointer
    }

    private let bytes: UnsafeRawBufferPointer
    private let isTwoByteForm: Bool
    private var offset = 0

    /// - Parameters:
    ///   - profile: the 16 bits "defined by profile"; anything but the two forms yields no elements.
    ///   - bytes: the extension's data after its 4-byte header.
    package init(profile: UInt16, bytes: UnsafeRawBufferPointer) {
        isTwoByteForm = profile & 0xFFF0 == 0x1000
        self.bytes = isTwoByteForm || profile == 0xBEDE ? bytes : bytes.part(from: 0, length: 0)
    }

    package mutating func next() -> Element? {
        isTwoByteForm ? nextTwoByteElement() : nextOneByteElement()
    }

    private mutating func nextOneByteElement() -> Element? {
        while offset < bytes.count {
            let header = bytes[offset]
            if header == 0 {
                offset += 1
                continue
            }
            let length = Int(header & 0x0F) + 1
            // Identifier 15, and 0 with a length, end the walk (RFC 8285 §4.2).
            guard header >> 4 != 15, header >> 4 != 0, offset + 1 + length <= bytes.count else { break }
            defer { offset += 1 + length }
            return Element(id: header >> 4, value: bytes.part(from: offset + 1, length: length))
        }
        offset = bytes.count
        return nil
    }

    private mutating func nextTwoByteElement() -> Element? {
        while offset < bytes.count {
            let id = bytes[offset]
            if id == 0 {
                offset += 1
                continue
            }
            guard offset + 2 <= bytes.count else { break }
            let length = Int(bytes[offset + 1])
            guard offset + 2 + length <= bytes.count else { break }
            defer { offset += 2 + length }
            return Element(id: id, value: bytes.part(from: offset + 2, length: length))
        }
        offset = bytes.count
        return nil
    }
}
