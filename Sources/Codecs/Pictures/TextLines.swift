/// Breaks words into lines.
enum TextLines {
    /// - Parameters:
    ///   - text: line feeds break a line; other control characters count as spaces.
    ///   - longest: lines; what does not fit into them is left out, and an ellipsis says so.
    ///   - fits: whether a line is short enough.
    static func lines(of text: String, longest: Int, fits: (Substring) -> Bool) -> [Substring] {
        var lines: [Substring] = []
        for paragraph in clean(text).split(separator: "\n") {
            var line: Substring = ""
            for word in paragraph.split(separator: " ") {
                var rest = word
                let longer = line.isEmpty ? rest : Substring("\(line) \(rest)")
                if fits(longer) {
                    line = longer
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                // A word that is longer than a line is cut.
                while !fits(rest), rest.count > 1 {
                    let part = prefix(of: rest, fits: fits)
                    lines.append(part)
                    rest = rest.dropFirst(part.count)
                }
                line = rest
            }
            if !line.isEmpty { lines.append(line) }
        }
        guard lines.count > longest, longest > 0 else { return lines }
        lines.removeLast(lines.count - longest)
        var last = lines[longest - 1]
        while !last.isEmpty, !fits(Substring("\(last)…")) { last = last.dropLast() }
        lines[longest - 1] = Substring("\(last)…")
        return lines
    }

    private static func prefix(of word: Substring, fits: (Substring) -> Bool) -> Substring {
        var length = 1
        while length < word.count, fits(word.prefix(length + 1)) { length += 1 }
        return word.prefix(length)
    }

    private static func clean(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar == "\n" || scalar.properties.generalCategory != .control ? scalar : " ")
        }
        return String(scalars)
    }
}
