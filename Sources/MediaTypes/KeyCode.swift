/// A key or button of a Linux input device (`/dev/input`), by its number in `linux/input-event-codes.h`.
package struct KeyCode: Hashable, Comparable, Sendable {
    /// 1 … 767 (`KEY_MAX`).
    package let number: Int

    /// Nil where the number is no key.
    package init?(number: Int) {
        guard (1..<768).contains(number) else { return nil }
        self.number = number
    }

    /// Takes a name as in `KEY_ENTER`, in any case and also without `KEY_`; or a number as in `0x1c`. Digits alone are the
    /// key with the digit on it.
    package init?(_ text: String) {
        if text.hasPrefix("0x"), let number = Int(text.dropFirst(2), radix: 16) {
            self.init(number: number)
            return
        }
        let wanted = text.uppercased()
        guard let found = KeyCode.numbers[wanted] ?? KeyCode.numbers["KEY_\(wanted)"] else { return nil }
        self.init(number: found)
    }

    /// As in `KEY_ENTER`; the number as in `0x2b0` where the key has no name here.
    package var name: String { KeyCode.namesByNumber[number] ?? "0x\(String(number, radix: 16))" }

    /// All names, in the order of their numbers.
    package static var allNames: [String] { namesByNumber.sorted { $0.key < $1.key }.map(\.value) }

    package static func < (a: KeyCode, b: KeyCode) -> Bool { a.number < b.number }

    private static let namesByNumber: [Int: String] = {
        var names: [Int: String] = [:]
        for run in runs {
            for (offset, word) in run.words.split(separator: " ").enumerated() where word != "-" {
                names[run.first + offset] = run.prefix + word
            }
        }
        return names
    }()

    private static let numbers: [String: Int] = Dictionary(
        namesByNumber.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
}
