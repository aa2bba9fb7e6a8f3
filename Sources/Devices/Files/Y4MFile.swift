import MediaTypes

/// A YUV4MPEG2 file whose pictures can be read in any order.
struct Y4MFile: ~Copyable {
    let header: Y4MHeader
    /// Where the samples of each picture start.
    private let pictureOffsets: [Int]
    private let file: InputFile
    /// One picture as it is in the file, without padding.
    private let buffer: UnsafeMutableRawBufferPointer

    /// Opens the file and checks all of it, so that nothing can be missing later.
    init(path: String) throws(DeviceError) {
        let file = try InputFile(path: path)
        let header = try Y4MFile.header(of: file)
        pictureOffsets = try Y4MFile.pictureOffsets(in: file, header: header)
        self.header = header
        self.file = file
        buffer = .allocate(byteCount: header.pictureByteCount, alignment: 64)
    }

    deinit {
        buffer.deallocate()
    }

    var pictureCount: Int { pictureOffsets.count }

    /// Reads picture `index` into `picture`, which gets the file's size.
    func read(_ index: Int, into picture: Picture) throws(DeviceError) {
        let count = try file.read(into: buffer, at: pictureOffsets[index])
        guard count == buffer.count else {
            throw .invalidFile(path: file.path, reason: "has become shorter while it was played")
        }
        picture.resize(to: header.size)
        var offset = copyPlane(
            from: 0, to: picture.luma, stride: picture.lumaStride, width: header.size.width,
            height: header.size.height)
        for plane in [picture.blueChroma, picture.redChroma] {
            offset = copyPlane(
                from: offset, to: plane, stride: picture.chromaStride, width: picture.chromaWidth,
                height: picture.chromaHeight)
        }
    }

    private func copyPlane(
        from start: Int, to plane: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int
    ) -> Int {
        for row in 0..<height {
            UnsafeMutableRawBufferPointer(start: plane.advanced(by: row * stride), count: width)
                .copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: buffer[start + row * width..<start + (row + 1) * width]))
        }
        return start + width * height
    }

    private static func header(of file: borrowing InputFile) throws(DeviceError) -> Y4MHeader {
        let prefix = UnsafeMutableRawBufferPointer.allocate(byteCount: Y4MHeader.maximumByteCount, alignment: 8)
        defer { prefix.deallocate() }
        let count = try file.read(into: prefix, at: 0)
        do {
            return try Y4MHeader(parsing: UnsafeRawBufferPointer(rebasing: prefix[..<count]))
        } catch {
            throw .invalidFile(path: file.path, reason: error.reason)
        }
    }

    private static func pictureOffsets(
        in file: borrowing InputFile, header: Y4MHeader
    ) throws(DeviceError) -> [Int] {
        let line = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 8)
        defer { line.deallocate() }
        var offsets: [Int] = []
        var offset = header.byteCount
        while offset < file.byteCount {
            let count = try file.read(into: line, at: offset)
            guard let lineByteCount = Y4MHeader.frameLineByteCount(UnsafeRawBufferPointer(rebasing: line[..<count]))
            else {
                throw .invalidFile(path: file.path, reason: "has no FRAME line in front of picture \(offsets.count)")
            }
            let end = offset + lineByteCount + header.pictureByteCount
            guard end <= file.byteCount else {
                throw .invalidFile(
                    path: file.path,
                    reason: "is cut short: picture \(offsets.count) lacks \(end - file.byteCount) bytes")
            }
            offsets.append(offset + lineByteCount)
            offset = end
        }
        guard !offsets.isEmpty else { throw .invalidFile(path: file.path, reason: "has no picture in it") }
        return offsets
    }
}
