import MediaTypes

/// Which parts of a picture changed: a few rectangles that cover them, a little more at worst.
///
/// - Units: even pixels, as for drawing. Adding allocates nothing after the first few.
package struct PictureRegion: Equatable, Sendable {
    /// More would cost more to walk than they save.
    static let maximumCount = 12

    /// They may overlap.
    package private(set) var rectangles: [PictureRectangle] = []

    package init() {
        rectangles.reserveCapacity(PictureRegion.maximumCount + 1)
    }

    package init(_ rectangle: PictureRectangle) {
        self.init()
        add(rectangle)
    }

    package var isEmpty: Bool { rectangles.isEmpty }

    /// Pixels in the rectangles; those that two of them share count twice.
    package var area: Int {
        var area = 0
        for index in rectangles.indices { area += rectangles[index].width * rectangles[index].height }
        return area
    }

    package mutating func add(_ rectangle: PictureRectangle) {
        guard rectangle.width > 0, rectangle.height > 0 else { return }
        var added = rectangle
        var index = 0
        while index < rectangles.count {
            let other = rectangles[index]
            if other.contains(added) { return }
            let union = other.union(added)
            let apart = other.width * other.height + added.width * added.height
            // What is not larger together than apart is one rectangle.
            if union.width * union.height <= apart {
                rectangles.remove(at: index)
                added = union
                index = 0
            } else {
                index += 1
            }
        }
        rectangles.append(added)
        if rectangles.count > PictureRegion.maximumCount { joinAll() }
    }

    package mutating func add(_ region: PictureRegion) {
        for index in region.rectangles.indices { add(region.rectangles[index]) }
    }

    package mutating func removeAll() {
        rectangles.removeAll(keepingCapacity: true)
    }

    private mutating func joinAll() {
        var union = rectangles[0]
        for index in 1..<rectangles.count { union = union.union(rectangles[index]) }
        rectangles.removeAll(keepingCapacity: true)
        rectangles.append(union)
    }
}
