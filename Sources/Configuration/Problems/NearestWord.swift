/// Finds the word that a person most likely meant.
enum NearestWord {
    /// The candidate with the smallest edit distance, when that is small for the word's length.
    static func find(_ word: String, in candidates: [String]) -> String? {
        let wanted = normalized(word)
        guard (1...64).contains(wanted.count) else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(wanted, normalized(candidate))
            if distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        guard let best, best.distance <= max(1, wanted.count / 3) else { return nil }
        return best.word
    }

    /// Insertions, deletions, replacements and exchanges of neighbours that turn one word into the other.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var current = [i + 1]
            for j in 0..<b.count {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[b.count]
    }

    /// Case, and `_` for `-`, are no difference.
    private static func normalized(_ word: String) -> [UInt8] {
        word.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "_"): UInt8(ascii: "-")
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
    }
}
