import MediaTypes
import Synchronization

/// Hands the latest picture from one thread to one other; an older one that nobody took is overwritten.
///
/// ```
/// producer: back ──publish()──▶ ┌ middle ┐ ──takeLatest()──▶ front: consumer
///                               └ fresh? ┘                      three pictures change places, none is copied
/// ```
/// - Thread: one producer (`back`, `publish`), one consumer (`takeLatest`). No allocation, no lock, no waiting.
// @unchecked: a picture belongs to the side that holds its number; the numbers change hands by one atomic exchange.
package final class PictureMailbox: @unchecked Sendable {
    private static let freshBit: UInt8 = 0x80

    /// Fires after each publication, when given.
    package let readySignal: EventSignal?
    private let pictures: (Picture, Picture, Picture)
    private let backIndex: UnsafeMutablePointer<UInt8>
    private let frontIndex: UnsafeMutablePointer<UInt8>
    private let padding0 = CacheLinePadding()
    /// Number of the picture in the middle, and whether the consumer has not seen it.
    private let middle = Atomic<UInt8>(1)
    private let padding1 = CacheLinePadding()
    private let overwritten = Atomic<Int>(0)

    /// - Parameter size: first size of the three pictures; the producer may resize `back`.
    package init(size: PictureSize, readySignal: EventSignal? = nil) {
        self.readySignal = readySignal
        pictures = (Picture(size: size), Picture(size: size), Picture(size: size))
        backIndex = .allocate(capacity: 1)
        backIndex.initialize(to: 0)
        frontIndex = .allocate(capacity: 1)
        frontIndex.initialize(to: 2)
    }

    deinit {
        backIndex.deallocate()
        frontIndex.deallocate()
    }

    /// Pictures that were overwritten before the consumer took them.
    package var overwrittenCount: Int { overwritten.load(ordering: .relaxed) }

    /// The picture to draw the next publication in; its content is undefined. Ask again after `publish`.
    /// - Thread: the producer.
    package var back: Picture { picture(backIndex.pointee) }

    /// Makes `back` the latest picture.
    /// - Thread: the producer.
    package func publish() {
        let old = middle.exchange(backIndex.pointee | PictureMailbox.freshBit, ordering: .acquiringAndReleasing)
        if old & PictureMailbox.freshBit != 0 { overwritten.wrappingAdd(1, ordering: .relaxed) }
        backIndex.pointee = old & ~PictureMailbox.freshBit
        readySignal?.signal()
    }

    /// The latest picture if it has not been taken yet, else nil. It is the consumer's until the next take that
    /// returns a picture.
    /// - Thread: the consumer.
    package func takeLatest() -> Picture? {
        guard middle.load(ordering: .relaxed) & PictureMailbox.freshBit != 0 else { return nil }
        let old = middle.exchange(frontIndex.pointee, ordering: .acquiringAndReleasing)
        frontIndex.pointee = old & ~PictureMailbox.freshBit
        return picture(frontIndex.pointee)
    }

    private func picture(_ index: UInt8) -> Picture {
        switch index {
        case 0: pictures.0
        case 1: pictures.1
        default: pictures.2
        }
    }
}
