import MediaTypes
import Realtime
import Testing

@testable import Codecs

@Suite struct CompositorTests {
    static let canvases = [(1_280, 720), (640, 480), (480, 800), (1_366, 768), (321, 241)].map {
        PictureSize(width: $0.0, height: $0.1)
    }

    @Test(arguments: 1...9, canvases) func tilesAreEvenEqualInsideAndApart(count: Int, canvas: PictureSize) {
        let layout = GridLayout(count: count, canvas: canvas)
        let tiles = (0..<count).map { layout.rectangle(of: $0) }
        for (index, tile) in tiles.enumerated() {
            #expect(tile.isInside(canvas))
            #expect(tile.size == tiles[0].size)
            #expect(tile.x % 2 == 0 && tile.y % 2 == 0)
            #expect(count == 1 || (tile.width % 2 == 0 && tile.height % 2 == 0))
            for other in tiles[(index + 1)...] {
                let isApart =
                    tile.x + tile.width <= other.x || other.x + other.width <= tile.x
                    || tile.y + tile.height <= other.y || other.y + other.height <= tile.y
                #expect(isApart)
            }
        }
        let used = tiles.reduce(0) { $0 + $1.width * $1.height }
        #expect(used * 2 > canvas.width * canvas.height)
    }

    @Test func oneStreamIsTheWholePicture() {
        let source = Picture(size: PictureSize(width: 640, height: 480))
        drawScene(5, in: source)
        let compositor = Compositor(size: source.size)
        compositor.tileCount = 1
        #expect(compositor.draw(source, tile: 0))
        #expect(largestDifference(compositor.picture, source) == 0)
    }

    @Test(arguments: 1...9) func eachStreamIsInItsTileAndUnchangedOnesAreNotDrawn(count: Int) {
        let compositor = Compositor(size: PictureSize(width: 640, height: 480))
        compositor.tileCount = count
        let sources = (0..<count).map { index in
            let picture = Picture(size: PictureSize(width: 320, height: 240))
            picture.fill(PictureRectangle(picture.size), with: PictureColor(luma: UInt8(40 + 20 * index)))
            picture.number = 1
            return picture
        }
        for (tile, source) in sources.enumerated() { #expect(compositor.draw(source, tile: tile)) }
        for tile in 0..<count {
            let rectangle = compositor.rectangle(of: tile)
            let middle =
                (rectangle.y + rectangle.height / 2) * compositor.picture.lumaStride + rectangle.x
                + rectangle.width / 2
            #expect(compositor.picture.luma[middle] == UInt8(40 + 20 * tile))
        }
        let number = compositor.picture.number
        for (tile, source) in sources.enumerated() { #expect(!compositor.draw(source, tile: tile)) }
        #expect(compositor.drawnCount == count && compositor.picture.number == number)
        sources[0].number = 2
        #expect(compositor.draw(sources[0], tile: 0))
        #expect(compositor.drawnCount == count + 1)
        compositor.fill(tile: 0, with: .black)
        let rectangle = compositor.rectangle(of: 0)
        #expect(compositor.picture.luma[rectangle.y * compositor.picture.lumaStride + rectangle.x] == 16)
        #expect(compositor.draw(sources[0], tile: 0))
    }

    @Test func anotherCountClearsTheGrid() {
        let compositor = Compositor(size: PictureSize(width: 320, height: 240))
        let source = Picture(size: PictureSize(width: 320, height: 240))
        source.fill(PictureRectangle(source.size), with: .white)
        compositor.tileCount = 1
        compositor.draw(source, tile: 0)
        compositor.tileCount = 0
        #expect(compositor.picture.luma[100] == 16)
        compositor.tileCount = 2
        #expect(compositor.draw(source, tile: 1))
        #expect(compositor.picture.luma[120 * compositor.picture.lumaStride + 80] == 16)
        #expect(compositor.picture.luma[120 * compositor.picture.lumaStride + 240] == 235)
    }

    @Test func aPictureKeepsItsShapeBetweenBlackBars() {
        let target = Picture(size: PictureSize(width: 640, height: 480))
        target.fill(PictureRectangle(target.size), with: .white)
        let wide = Picture(size: PictureSize(width: 640, height: 360))
        wide.fill(PictureRectangle(wide.size), with: PictureColor(luma: 100))
        let place = PictureScaler.draw(wide, in: PictureRectangle(target.size), of: target)
        #expect(place == PictureRectangle(x: 0, y: 60, width: 640, height: 360))
        let column = (0..<480).map { target.luma[$0 * target.lumaStride + 320] }
        #expect(column[0..<60].allSatisfy { $0 == 16 } && column[420...].allSatisfy { $0 == 16 })
        #expect(column[60..<420].allSatisfy { $0 == 100 })

        let tall = Picture(size: PictureSize(width: 90, height: 160))
        let tallPlace = PictureScaler.draw(
            tall, in: PictureRectangle(x: 320, y: 240, width: 320, height: 240), of: target)
        #expect(tallPlace.height == 240 && tallPlace.width == 136 && tallPlace.x >= 320 && tallPlace.x % 2 == 0)
    }

    @Test(arguments: [(640, 480), (333, 221), (63, 47), (1_280, 720)])
    func scalingThereAndBackKeepsTheScene(width: Int, height: Int) {
        let source = Picture(size: PictureSize(width: 640, height: 480))
        let ramp = Picture(size: source.size)
        for row in 0..<480 {
            for column in 0..<640 { ramp.luma[row * ramp.lumaStride + column] = UInt8(20 + column / 4 + row / 12) }
        }
        let scaled = Picture(size: PictureSize(width: width, height: height))
        PictureScaler.scale(ramp, into: scaled)
        if width * 3 == height * 4 {
            PictureScaler.scale(scaled, into: source)
            #expect(lumaPSNR(source, ramp) > 35)
        } else {
            let rectangle = PictureRectangle(scaled.size).fitting(ramp.size)
            let x = rectangle.x + rectangle.width / 2
            let y = rectangle.y + rectangle.height / 2
            #expect(abs(Int(scaled.luma[y * scaled.lumaStride + x]) - 120) <= 3)
        }
        #expect(scaled.size == PictureSize(width: width, height: height))
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func composingAllocatesOnlyTheScalersRows() {
        let compositor = Compositor(size: PictureSize(width: 640, height: 480))
        compositor.tileCount = 4
        let source = Picture(size: PictureSize(width: 640, height: 480))
        let odd = Picture(size: PictureSize(width: 640, height: 360))
        func work() {
            for number in 1...10 {
                source.number += Int64(number)
                odd.number += Int64(number)
                compositor.draw(source, tile: number % 4)
                compositor.draw(source, tile: number % 4)
            }
        }
        work()
        // Halving needs no memory at all.
        #expect(AllocationCounter.count(in: work) == 0)
        compositor.draw(odd, tile: 2)
        odd.number += 1
        // libyuv's own buffers of one or two rows, one for each plane.
        #expect(AllocationCounter.count { compositor.draw(odd, tile: 2) } <= 3)
    }
}
