import MediaTypes
import Testing

@testable import Devices

@Suite struct FrameCounterCodeTests {
    static let sizes = [(160, 120), (176, 144), (213, 160), (320, 240), (640, 480), (641, 479), (1_280, 720)]

    @Test(arguments: sizes) func everyNumberIsReadBack(width: Int, height: Int) {
        let picture = Picture(size: PictureSize(width: width, height: height))
        for number in [0, 1, 2, 0x5555, 0xAAAA, 0x8000, 0xFFFF, 12_345] {
            FrameCounterCode.draw(Int64(number), in: picture)
            #expect(FrameCounterCode.read(from: picture) == number)
        }
        FrameCounterCode.draw(65_536 + 7, in: picture)
        #expect(FrameCounterCode.read(from: picture) == 7)
    }

    @Test func aPictureWithoutACodeHasNoNumber() {
        let picture = Picture(size: PictureSize(width: 640, height: 480))
        #expect(FrameCounterCode.read(from: picture) == nil)
        picture.luma.update(repeating: 235, count: picture.lumaStride * 480)
        #expect(FrameCounterCode.read(from: picture) == nil)
        #expect(FrameCounterCode.read(from: Picture(size: PictureSize(width: 16, height: 16))) == nil)
        #expect(FrameCounterCode.read(from: picture, x: 600, y: 0, size: PictureSize(width: 160, height: 120)) == nil)
    }

    @Test func oneOrTwoWrongCellsAreNoticed() {
        let picture = Picture(size: PictureSize(width: 240, height: 160))
        func flip(_ cell: Int) {
            let (row, column) = cell.quotientAndRemainder(dividingBy: 12)
            for y in row * 10..<row * 10 + 10 {
                for x in column * 20..<column * 20 + 20 {
                    picture.luma[y * picture.lumaStride + x] = 251 - picture.luma[y * picture.lumaStride + x]
                }
            }
        }
        for first in 2..<24 {
            for second in first..<24 {
                FrameCounterCode.draw(0x1234, in: picture)
                flip(first)
                if second != first { flip(second) }
                #expect(FrameCounterCode.read(from: picture) == nil)
            }
        }
    }

    @Test func greyCellsAreNotGuessed() {
        let picture = Picture(size: PictureSize(width: 240, height: 160))
        FrameCounterCode.draw(5, in: picture)
        for y in 0..<10 { picture.luma.advanced(by: y * picture.lumaStride + 80).update(repeating: 126, count: 20) }
        #expect(FrameCounterCode.read(from: picture) == nil)
    }

    @Test func theCodeIsReadInsideALargerPicture() {
        let tile = Picture(size: PictureSize(width: 213, height: 160))
        FrameCounterCode.draw(777, in: tile)
        let screen = Picture(size: PictureSize(width: 640, height: 480))
        for row in 0..<160 {
            screen.luma.advanced(by: (row + 160) * screen.lumaStride + 213)
                .update(from: tile.luma.advanced(by: row * tile.lumaStride), count: 213)
        }
        #expect(FrameCounterCode.read(from: screen, x: 213, y: 160, size: tile.size) == 777)
    }
}
