import Glibc
import MediaTypes

/// A WAV file of 48 kHz mono that grows while it is written and is valid at every moment: its header is brought up to
/// date once a second of sound and at the end.
struct WAVOutputFile: ~Copyable {
    /// RIFF counts bytes in 32 bits: about 12 hours. What comes later is left out.
    private static let largestDataByteCount = 0xFFFF_FFFF - 1_024
    private let path: String
    private let descriptor: Int32
    private var dataByteCount = 0
    private var writtenInHeader = 0

    /// Makes the file, or empties the one that is there. It is a WAV file from the first `updateHeader` on.
    init(path: String) throws(DeviceError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            throw .invalidFile(path: path, reason: "cannot be written: \(DeviceError.text(ofCode: code))")
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Adds samples at the end.
    mutating func append(_ samples: UnsafeBufferPointer<Int16>) throws(DeviceError) {
        let bytes = UnsafeRawBufferPointer(samples)
        guard dataByteCount + bytes.count <= WAVOutputFile.largestDataByteCount else { return }
        try write(bytes, at: WAVHeader.writtenByteCount + dataByteCount)
        dataByteCount += bytes.count
        if dataByteCount - writtenInHeader >= 2 * AudioFormat.pipeline.sampleRateHz { try updateHeader() }
    }

    /// Adds silence at the end: a hole that takes no space on the disk.
    mutating func appendSilence(frames: Int) {
        dataByteCount = min(dataByteCount + 2 * frames, WAVOutputFile.largestDataByteCount)
    }

    /// Brings the header up to date.
    mutating func updateHeader() throws(DeviceError) {
        var header: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)
        let dataByteCount = dataByteCount
        let result = withUnsafeMutableBytes(of: &header) { (bytes) -> Result<Void, DeviceError> in
            WAVHeader.write(format: .pipeline, dataByteCount: dataByteCount, into: bytes)
            do throws(DeviceError) {
                try write(UnsafeRawBufferPointer(rebasing: bytes[..<WAVHeader.writtenByteCount]), at: 0)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        writtenInHeader = dataByteCount
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(DeviceError) {
        var count = 0
        while count < bytes.count {
            // The buffer is not empty here, so it has an address.
            let result = pwrite(descriptor, bytes.baseAddress! + count, bytes.count - count, off_t(offset + count))
            if result < 0 {
                let code = errno
                if code == EINTR { continue }
                throw .system(name: path, operation: "write", code: code)
            }
            count += result
        }
    }
}
