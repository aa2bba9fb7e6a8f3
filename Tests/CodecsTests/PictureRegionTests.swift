import MediaTypes
import Testing

@testable import Codecs

@Suite struct PictureRegionTests {
    func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PictureRectangle {
        PictureRectangle(x: x, y: y, width: width, height: height)
    }

    @Test func whatLiesInsideOrBesideBecomesOneRectangle() {
        var region = PictureRegion(rectangle(0, 0, 100, 20))
        region.add(rectangle(10, 2, 8, 8))
        #expect(region.rectangles == [rectangle(0, 0, 100, 20)])
        region.add(rectangle(0, 20, 100, 20))
        #expect(region.rectangles == [rectangle(0, 0, 100, 40)])
        region.add(rectangle(400, 300, 10, 10))
        #expect(region.rectangles.count == 2 && region.area == 4_100)
        region.add(rectangle(0, 0, 500, 500))
        #expect(region.rectangles == [rectangle(0, 0, 500, 500)])
    }

    @Test func anySequenceOfRectanglesStaysCovered() {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var region = PictureRegion()
            var added: [PictureRectangle] = []
            for _ in 0..<Int(random.next() % 40) {
                let one = rectangle(
                    Int(random.next() % 100), Int(random.next() % 100), Int(random.next() % 30),
                    Int(random.next() % 30))
                region.add(one)
                if one.width > 0 && one.height > 0 { added.append(one) }
                #expect(region.rectangles.count <= PictureRegion.maximumCount)
            }
            for one in added {
                for y in one.y..<one.y + one.height {
                    for x in one.x..<one.x + one.width {
                        let isCovered = region.rectangles.contains { $0.contains(rectangle(x, y, 1, 1)) }
                        guard !isCovered else { continue }
                        Issue.record("\(x), \(y) is not covered")
                        return
                    }
                }
            }
        }
    }
}
