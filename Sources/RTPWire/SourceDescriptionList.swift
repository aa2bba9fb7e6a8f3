import MediaTypes

/// The canonical names in a source description, read in place (RFC 3550 §6.5); other items are skipped.
package struct SourceDescriptionList: Sequence, IteratorProtocol {
    /// One source and the UTF-8 bytes of its canonical name, empty where it gave none.
    package struct Chunk {
        package var source: SSRC
        package var cname: UnsafeRawBufferPointer
    }

    private var reader: ByteReader
    private var remainingChunks: Int

    /// Nil where the chunks do not fit into the bytes.
    init?(_ bytes: UnsafeRawBufferPointer, chunkCount: Int) {
        reader = ByteReader(bytes)
        remainingChunks = chunkCount
        var trial = self
        for _ in 0..<chunkCount {
            guard trial.next() != nil else { return nil }
        }
    }

    package mutating func next() -> Chunk? {
        guard remainingChunks > 0, let source = reader.readUInt32(), var cname = reader.readPart(0) else { return nil }
        while true {
            guard let item = reader.readUInt8() else { return nil }
            if item == 0 { break }
            guard let length = reader.readUInt8(), let text = reader.readPart(Int(length)) else { return nil }
            if item == 1 { cname = text }
        }
        // Zero bytes fill the chunk up to a whole word.
        guard reader.readPart((4 - reader.offset % 4) % 4) != nil else { return nil }
        remainingChunks -= 1
        return Chunk(source: SSRC(source), cname: cname)
    }
}
