import CDeviceShims
import CV4L
import Glibc
import MediaTypes
import Realtime

/// The running memory-mapped stream of a camera: a few buffers that go round between driver and reader.
///
/// Ends in the order that drivers want: stream off, unmap, close.
final class V4L2Stream {
    private static let bufferCount: UInt32 = 4
    /// So many lost pictures in a row mean that the camera needs a new start.
    private static let longestLostRun = 30

    private let name: String
    private let node: V4L2Node
    private var buffers: [UnsafeMutableRawBufferPointer] = []
    /// Pictures that the driver could not deliver.
    private(set) var lostPictureCount = 0
    private var lostRun = 0

    init(node: consuming V4L2Node, name: String) throws(DeviceError) {
        self.name = name
        self.node = node
        try map()
        for index in 0..<UInt32(buffers.count) { try queue(index) }
        try check(ccb_v4l2_stream_on(self.node.descriptor), "start the camera")
    }

    deinit {
        // Errors have no meaning here: the camera may be gone.
        _ = ccb_v4l2_stream_off(node.descriptor)
        for buffer in buffers { v4l2_munmap(buffer.baseAddress, buffer.count) }
    }

    /// Waits for a picture.
    ///
    /// - Returns: false when there is none within that time.
    func wait(milliseconds: Int32) throws(DeviceError) -> Bool {
        var entry = pollfd(fd: node.descriptor, events: Int16(POLLIN), revents: 0)
        let result = poll(&entry, 1, milliseconds)
        if result < 0 {
            let code = errno
            guard code == EINTR || code == EAGAIN else {
                throw .system(name: name, operation: "wait for a picture", code: code)
            }
            return false
        }
        // POLLERR alone is what an unplugged camera answers, at once and for ever.
        if entry.revents & Int16(POLLIN) == 0, entry.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
            throw .gone(name: name)
        }
        return result > 0
    }

    /// Takes the oldest filled buffer; nil when there is none now.
    func take() throws(DeviceError) -> V4L2Frame? {
        // Asking first is cheaper than an error, which libv4l2 would write about.
        guard try wait(milliseconds: 0) else { return nil }
        var buffer = blankBuffer()
        let result = ccb_v4l2_dequeue_buffer(node.descriptor, &buffer)
        if result == -EAGAIN { return nil }
        if result == -EIO {
            // A picture lost to a bad signal: drivers that mean worse go on with it, or stop delivering.
            lostPictureCount += 1
            lostRun += 1
            guard lostRun < V4L2Stream.longestLostRun else { throw .stalled(name: name) }
            return nil
        }
        try check(result, "take a picture")
        lostRun = 0
        guard Int(buffer.index) < buffers.count else {
            throw .system(name: name, operation: "take a picture", code: EPROTO)
        }
        let memory = buffers[Int(buffer.index)]
        let count = min(Int(buffer.bytesused), memory.count)
        return V4L2Frame(
            index: buffer.index, bytes: UnsafeRawBufferPointer(rebasing: memory[..<count]), sequence: buffer.sequence,
            time: V4L2Stream.time(of: buffer),
            isBroken: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 || count == 0)
    }

    /// Lets the driver fill the buffer again.
    func giveBack(_ frame: V4L2Frame) throws(DeviceError) {
        try queue(frame.index)
    }

    private func map() throws(DeviceError) {
        var request = v4l2_requestbuffers()
        request.count = V4L2Stream.bufferCount
        request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try check(ccb_v4l2_request_buffers(node.descriptor, &request), "get picture buffers")
        guard (2...32).contains(request.count) else {
            throw .unsupported(name: name, reason: "it gives \(request.count) picture buffers")
        }
        for index in 0..<request.count {
            var buffer = blankBuffer()
            buffer.index = index
            try check(ccb_v4l2_query_buffer(node.descriptor, &buffer), "ask for a picture buffer")
            var address: UnsafeMutableRawPointer?
            try check(ccb_v4l2_map(node.descriptor, buffer.length, buffer.m.offset, &address), "map a picture buffer")
            buffers.append(UnsafeMutableRawBufferPointer(start: address, count: Int(buffer.length)))
        }
    }

    private func queue(_ index: UInt32) throws(DeviceError) {
        var buffer = blankBuffer()
        buffer.index = index
        try check(ccb_v4l2_queue_buffer(node.descriptor, &buffer), "give back a picture buffer")
    }

    private func blankBuffer() -> v4l2_buffer {
        var buffer = v4l2_buffer()
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        return buffer
    }

    private func check(_ result: Int32, _ operation: String) throws(DeviceError) {
        switch -result {
        case ...0: return
        case ENODEV, ENXIO,
            EINVAL where operation == "take a picture":
            throw .gone(name: name)
        case EBUSY: throw .busy(name: name, holder: DeviceHolder.ofFile(node.path))
        case let code: throw .system(name: name, operation: operation, code: code)
        }
    }

    private static func time(of buffer: v4l2_buffer) -> MonotonicTime {
        let kind = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        let now = MonotonicClock.now()
        guard kind == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) else { return now }
        let time = MonotonicTime(
            nanoseconds: Int64(buffer.timestamp.tv_sec) * 1_000_000_000 + Int64(buffer.timestamp.tv_usec) * 1_000)
        // Some drivers say so and leave it empty, or use another clock.
        return time <= now && now - time < .seconds(Int64(1)) ? time : now
    }
}
