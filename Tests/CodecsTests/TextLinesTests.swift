import Testing

@testable import Codecs

@Suite struct TextLinesTests {
    func lines(_ text: String, width: Int, longest: Int = 9) -> [String] {
        TextLines.lines(of: text, longest: longest) { $0.count <= width }.map(String.init)
    }

    @Test func linesBreakBetweenWordsAndAtLineFeeds() {
        #expect(lines("the door is open", width: 8) == ["the door", "is open"])
        #expect(lines("a\nb c", width: 8) == ["a", "b c"])
        #expect(lines("  a \t b  ", width: 8) == ["a b"])
        #expect(lines("", width: 8) == [])
    }

    @Test func aWordThatIsTooLongIsCut() {
        #expect(lines("abcdefghij k", width: 4) == ["abcd", "efgh", "ij k"])
        #expect(lines("x abcdef", width: 4) == ["x", "abcd", "ef"])
    }

    @Test func tooManyLinesEndWithAnEllipsis() {
        #expect(lines("one two three four", width: 5, longest: 2) == ["one", "two…"])
        #expect(lines("abcd efgh ijkl", width: 4, longest: 2) == ["abcd", "efg…"])
    }

    @Test func whereNothingFitsEachCharacterIsALine() {
        #expect(TextLines.lines(of: "ab c", longest: 9) { _ in false }.map(String.init) == ["a", "b", "c"])
        #expect(TextLines.lines(of: "ab", longest: 1) { _ in false }.map(String.init) == ["…"])
    }
}
