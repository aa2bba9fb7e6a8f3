import Codecs
import MediaTypes

/// The page that the screen shows while there is no picture: lines of words with their places.
struct IdlePage {
    /// More lines than this are not drawn.
    static let maximumLines = 9

    /// A line as a small picture, with its upper left corner.
    struct Line {
        fileprivate var words: String
        fileprivate var style: TextStyle
        var picture: Picture
        var x: Int
        var y: Int
    }

    private struct Text {
        var words: String
        var style: TextStyle
        /// Space above, in pixels.
        var above: Int
    }

    private typealias Drawn = (text: Text, picture: Picture)

    /// From top to bottom.
    private(set) var lines: [Line] = []

    /// An empty page.
    init() {}

    /// The title, room, state and call stand in the middle of the screen, the addresses at its foot.
    /// - Parameter former: lines of an earlier page, whose pictures are used again.
    /// - Errors: no font, or one that cannot be used.
    init(_ content: ScreenContent, style: ScreenStyle, former: [Line]) throws(CodecError) {
        let foot = try IdlePage.drawn(
            content.addresses.prefix(3).map { IdlePage.text($0, style, 0.95, ScreenStyle.quiet) }, former)
        let footHeight = foot.reduce(0) { $0 + $1.picture.size.height }
        var main = [IdlePage.text(content.title, style, 2.2, ScreenStyle.title)]
        if !content.room.isEmpty { main.append(IdlePage.text(content.room, style, 1.2, ScreenStyle.words)) }
        var state = IdlePage.text(content.state, style, 1.25, ScreenStyle.words)
        state.style.marks = content.state.isEmpty ? [] : [.init(.dot, ScreenStyle.color(of: content.mood))]
        state.style.maximumLines = 3
        state.above = style.unit * 3 / 2
        main.append(state)
        if !content.call.isEmpty {
            var call = IdlePage.text(content.call, style, 1.8, ScreenStyle.title)
            call.above = style.unit
            call.style.maximumLines = 2
            main.append(call)
        }
        let drawn = try IdlePage.drawn(main, former)
        let height = drawn.reduce(0) { $0 + $1.text.above + $1.picture.size.height }
        let room = style.size.height - footHeight - 2 * style.margin
        add(drawn, from: max(style.margin, (room - height) * 2 / 5 + style.margin), style)
        let footTop = style.size.height - footHeight - style.margin
        add(foot, from: footTop, style)
    }

    private static func text(_ words: String, _ style: ScreenStyle, _ factor: Double, _ ink: PictureColor) -> Text {
        var look = TextStyle(
            letterHeight: Int(Double(style.unit) * factor), maximumWidth: style.size.width - 2 * style.margin)
        look.ink = ink
        look.ground = ScreenStyle.ground
        look.isCentred = true
        return Text(words: words, style: look, above: 0)
    }

    private static func drawn(_ texts: [Text], _ former: [Line]) throws(CodecError) -> [Drawn] {
        var drawn: [Drawn] = []
        for text in texts {
            if let same = former.first(where: { $0.words == text.words && $0.style == text.style }) {
                drawn.append((text, same.picture))
            } else if let picture = try TextPicture.label(text.words, text.style) {
                drawn.append((text, picture))
            }
        }
        return drawn
    }

    /// Lines that do not fit any more are left out.
    private mutating func add(_ drawn: [Drawn], from top: Int, _ style: ScreenStyle) {
        var y = top
        for (text, picture) in drawn {
            y += text.above
            guard y + picture.size.height <= style.size.height, lines.count < IdlePage.maximumLines else { return }
            let x = max(0, style.size.width - picture.size.width) / 2 & ~1
            lines.append(Line(words: text.words, style: text.style, picture: picture, x: x, y: y & ~1))
            y += picture.size.height
        }
    }
}
