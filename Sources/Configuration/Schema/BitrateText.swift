import MediaTypes

/// Bit rates as a person writes them: `1Mbit/s`, `800kbit/s`, `1.5 Mbit/s`, or a number of bit/s.
enum BitrateText {
    static func parse(_ text: String) -> Bitrate? {
        var rest = text[...]
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction: Substring = ""
        if rest.first == "." {
            fraction = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(1 + fraction.count)
            guard (1...6).contains(fraction.count) else { return nil }
        }
        guard (1...9).contains(whole.count), let number = Int64(whole) else { return nil }
        if rest.first == " " { rest = rest.dropFirst() }
        let factor: Int64
        switch rest {
        case "", "bit/s": factor = 1
        case "kbit/s": factor = 1_000
        case "Mbit/s": factor = 1_000_000
        default: return nil
        }
        var rate = number * factor
        if !fraction.isEmpty {
            let digits = fraction + String(repeating: "0", count: 6 - fraction.count)
            guard factor > 1, let millionths = Int64(digits) else { return nil }
            rate += millionths * factor / 1_000_000
        }
        return Bitrate(bitsPerSecond: Int(clamping: rate))
    }

    static func spell(_ rate: Bitrate) -> String {
        let number = rate.bitsPerSecond
        if number >= 1_000_000, number % 100_000 == 0 {
            let tenths = number / 100_000
            return tenths % 10 == 0 ? "\(tenths / 10)Mbit/s" : "\(tenths / 10).\(tenths % 10)Mbit/s"
        }
        return number >= 1_000 && number % 1_000 == 0 ? "\(number / 1_000)kbit/s" : "\(number)bit/s"
    }

    /// The right spelling of common wrong ones: `800k`, `1 Mbps`, `2MBIT`.
    static func suggestion(_ text: String) -> String? {
        let number = text.prefix { isDigit($0) || $0 == "." }
        guard !number.isEmpty else { return nil }
        let unit = text.dropFirst(number.count).filter { $0 != " " }.lowercased()
        let spelled: String
        switch unit.first {
        case "m": spelled = "\(number)Mbit/s"
        case "k": spelled = "\(number)kbit/s"
        case "b": spelled = "\(number)bit/s"
        default: return nil
        }
        return parse(spelled) == nil ? nil : spelled
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
