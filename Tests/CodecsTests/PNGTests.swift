import Glibc
import MediaTypes
import Testing

@testable import Codecs

@Suite struct PNGTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/callbox-png-XXXXXX".utf8CString)
        let path = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer {
            for name in ["a.png", "a.png.part"] { unlink(path + "/" + name) }
            rmdir(path)
        }
        try body(path)
    }

    @Test(arguments: [(640, 480), (63, 47)]) func aPictureComesBackFromItsFile(width: Int, height: Int) throws {
        let picture = Picture(size: PictureSize(width: width, height: height))
        drawScene(3, in: picture)
        try withDirectory { directory in
            let writer = PNGWriter()
            try writer.write(picture, to: directory + "/a.png")
            try writer.write(picture, to: directory + "/a.png")
            let read = try PNGReader.read(directory + "/a.png")
            #expect(read.size == picture.size)
            #expect(lumaPSNR(read, picture) > 40)
            #expect(access(directory + "/a.png.part", F_OK) != 0)
        }
    }

    @Test func whatCannotBeWrittenIsAnErrorAndLeavesNothing() throws {
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        #expect(throws: CodecError.file(code: ENOENT)) {
            try PNGWriter().write(picture, to: "/nonexistent-directory/a.png")
        }
    }

    @Test func whatIsNoPictureIsAnError() throws {
        #expect(throws: CodecError.file(code: ENOENT)) { try PNGReader.read("/nonexistent.png") }
        #expect(throws: CodecError.file(code: 0)) { try PNGReader.read("/proc/self/status") }
    }

    @Test func aTruncatedFileIsAnErrorAtEveryLength() throws {
        let picture = Picture(size: PictureSize(width: 32, height: 16))
        drawScene(1, in: picture)
        try withDirectory { directory in
            let path = directory + "/a.png"
            try PNGWriter().write(picture, to: path)
            let bytes = try #require(readFile(path))
            for count in stride(from: 0, to: bytes.count - 16, by: 13) {
                #expect(truncate(path, count) == 0)
                #expect(throws: CodecError.self) { try PNGReader.read(path) }
                let descriptor = open(path, O_WRONLY)
                #expect(write(descriptor, bytes, bytes.count) == bytes.count)
                close(descriptor)
            }
        }
    }
}
