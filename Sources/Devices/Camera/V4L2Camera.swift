import CDeviceShims
import CV4L
import Codecs
import Glibc
import MediaTypes
import Realtime

/// A camera behind a V4L2 node, read through libv4l2.
///
/// Formats that `PictureConverter` knows are taken as they are; of everything else libv4l makes I420. When the reader
/// is late, the newest picture counts and the older ones are dropped.
final class V4L2Camera: CameraDevice {
    /// So many broken pictures in a row mean that the camera needs a new start.
    private static let longestBrokenRun = 30

    let name: String
    let size: PictureSize
    let framesPerSecond: Double
    /// What the camera delivers before conversion.
    let pixelFormat: FourCC
    private let conversion: PixelFormat
    private let strideBytes: Int
    private var stream: V4L2Stream?
    /// Pictures that were damaged or too old.
    private var rejectedCount = 0
    private var brokenRun = 0
    private var lastSequence: UInt32?
    private var number: Int64 = 0

    init(specifier: DeviceSpecifier, size wish: PictureSize, framesPerSecond: Int) throws(DeviceError) {
        name = specifier.text
        let (plain, only) = V4L2Camera.formatOption(of: specifier)
        let path = try V4L2Directory.path(of: plain)
        var refused: Set<FourCC> = []
        while true {
            let node = try V4L2Node(path: path, name: specifier.text)
            guard node.capability?.isCamera == true else {
                throw .unsupported(name: specifier.text, reason: "it is not a camera")
            }
            let modes = node.modes().filter { mode in
                !refused.contains(mode.pixelFormat) && (only == nil || mode.pixelFormat.description == only)
            }
            let choice = CameraNegotiation.choose(from: modes, size: wish, framesPerSecond: Double(framesPerSecond))
            guard let choice else {
                throw .unsupported(name: specifier.text, reason: "it has no format that can be converted")
            }
            let setup = V4L2Setup(name: specifier.text, choice: choice, framesPerSecond: framesPerSecond)
            let agreed = try setup.apply(to: node)
            do {
                stream = try V4L2Stream(node: node, name: specifier.text)
            } catch DeviceError.system(_, _, code: ENOSPC)
                where modes.contains(where: { $0.pixelFormat != choice.pixelFormat })
            {
                // The USB bus has no room for this format beside other cameras; a compressed one may fit.
                refused.insert(choice.pixelFormat)
                continue
            }
            (size, pixelFormat, conversion) = (agreed.size, agreed.pixelFormat, agreed.conversion)
            (strideBytes, self.framesPerSecond) = (agreed.strideBytes, agreed.framesPerSecond)
            return
        }
    }

    /// `…,format=MJPG` behind a camera's name: no other pixel format is taken, for cameras whose best one is broken.
    static func formatOption(of specifier: DeviceSpecifier) -> (plain: DeviceSpecifier, format: String?) {
        let text = specifier.text
        guard let comma = text.lastIndex(of: ","), text[comma...].hasPrefix(",format=") else { return (specifier, nil) }
        return (DeviceSpecifier(String(text[..<comma])), String(text[comma...].dropFirst(8)))
    }

    var droppedPictureCount: Int { rejectedCount + (stream?.lostPictureCount ?? 0) }

    func capture(into picture: Picture, timeoutMilliseconds: Int32) throws(DeviceError) -> Bool {
        guard stream != nil else { throw .gone(name: name) }
        let deadline = MonotonicClock.now() + .milliseconds(Int64(timeoutMilliseconds))
        while let frame = try nextFrame(until: deadline) {
            count(frame)
            let isGood = !frame.isBroken && convert(frame, into: picture)
            try stream?.giveBack(frame)
            if isGood {
                brokenRun = 0
                picture.number = number
                picture.captureTime = frame.time
                picture.timestamp = .ofCapture(at: frame.time)
                return true
            }
            rejectedCount += 1
            brokenRun += 1
            guard brokenRun < V4L2Camera.longestBrokenRun else { throw .stalled(name: name) }
        }
        return false
    }

    /// Stops the camera and closes its node at once.
    func close() {
        stream = nil
    }

    /// The newest frame; nil when there is none until the deadline.
    private func nextFrame(until deadline: MonotonicTime) throws(DeviceError) -> V4L2Frame? {
        while true {
            guard var frame = try stream?.take() else {
                let remaining = (deadline - MonotonicClock.now()).milliseconds
                guard remaining > 0, try stream?.wait(milliseconds: Int32(min(remaining, 1_000))) == true else {
                    if MonotonicClock.now() >= deadline { return nil }
                    continue
                }
                continue
            }
            while let newer = try stream?.take() {
                try stream?.giveBack(frame)
                rejectedCount += 1
                frame = newer
            }
            return frame
        }
    }

    /// Advances the picture number by what the driver counted; drivers that do not count give every picture the next.
    private func count(_ frame: V4L2Frame) {
        let step = lastSequence.map { Int64(Int32(bitPattern: frame.sequence &- $0)) } ?? 0
        if lastSequence != nil { number += max(1, step) }
        lastSequence = frame.sequence
    }

    private func convert(_ frame: V4L2Frame, into picture: Picture) -> Bool {
        do {
            try PictureConverter.convert(
                frame.bytes, format: conversion, size: size, strideBytes: conversion == .mjpeg ? nil : strideBytes,
                into: picture)
            return true
        } catch {
            // Damaged JPEG and short buffers happen on every USB bus; the caller counts them.
            return false
        }
    }
}
