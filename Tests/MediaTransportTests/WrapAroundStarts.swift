/// Where sequence numbers start in tests of their wrap-around.
let wrapAroundStarts: [UInt16] = [0, 1, 127, 128, 255, 256, 32_767, 32_768, 65_534, 65_535]
