/// The media lines of a session in the order of the SDP.
///
/// Its own iterator, because the one of `Array` allocates in builds without optimization, where allocations are counted.
struct LineList: Sequence {
    private var items: [MediaLine] = []

    init(_ items: [MediaLine] = []) {
        self.items = items
    }

    var isEmpty: Bool { items.isEmpty }
    var first: MediaLine? { items.isEmpty ? nil : items[0] }

    /// The line with this index in the SDP. Lines are few, and usually stand at their own index.
    func line(_ index: Int) -> MediaLine? {
        if index >= 0 && index < items.count && items[index].lineIndex == index { return items[index] }
        for item in self where item.lineIndex == index { return item }
        return nil
    }

    func makeIterator() -> Iterator { Iterator(items: items) }

    struct Iterator: IteratorProtocol {
        fileprivate let items: [MediaLine]
        private var index = 0

        fileprivate init(items: [MediaLine]) {
            self.items = items
        }

        mutating func next() -> MediaLine? {
            guard index < items.count else { return nil }
            index += 1
            return items[index - 1]
        }
    }
}
