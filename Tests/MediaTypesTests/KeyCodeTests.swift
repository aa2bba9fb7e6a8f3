import Testing

@testable import MediaTypes

@Suite struct KeyCodeTests {
    /// Some numbers of `linux/input-event-codes.h` from each part of the table.
    static let known: [(String, Int)] = [
        ("KEY_ESC", 1), ("KEY_1", 2), ("KEY_ENTER", 28), ("KEY_KPENTER", 96), ("KEY_VOLUMEUP", 115), ("KEY_PHONE", 169),
        ("KEY_F24", 194), ("KEY_PLAYCD", 200), ("KEY_MICMUTE", 248), ("BTN_0", 0x100), ("BTN_9", 0x109),
        ("BTN_LEFT", 0x110), ("BTN_TRIGGER", 0x120), ("KEY_OK", 0x160), ("KEY_NUMERIC_0", 0x200),
        ("KEY_NUMERIC_POUND", 0x20b), ("KEY_VOICECOMMAND", 0x246), ("BTN_TRIGGER_HAPPY1", 0x2c0),
        ("BTN_TRIGGER_HAPPY40", 0x2e7),
    ]

    @Test(arguments: known) func namesAreThoseOfTheKernel(name: String, number: Int) {
        #expect(KeyCode(name)?.number == number)
        #expect(KeyCode(number: number)?.name == name)
    }

    @Test func everyKeyIsReadBackFromItsName() {
        for number in 1..<768 {
            let key = KeyCode(number: number)
            #expect(key != nil && KeyCode(key?.name ?? "") == key)
        }
        #expect(KeyCode.allNames.count > 400)
        #expect(Set(KeyCode.allNames).count == KeyCode.allNames.count)
    }

    @Test func caseAndPrefixMayBeLeftOutAndDigitsAreTheKeyWithTheDigit() {
        #expect(KeyCode("enter") == KeyCode("KEY_ENTER"))
        #expect(KeyCode("btn_0")?.number == 0x100)
        #expect(KeyCode("1")?.number == 2)
        #expect(KeyCode("0x1c") == KeyCode("KEY_ENTER"))
    }

    @Test(arguments: ["", "KEY_", "KEY_NOPE", "0x0", "0x300", "28", "-1", "0x", "KEY_ ENTER"])
    func whatIsNoKeyIsRefused(text: String) {
        #expect(KeyCode(text) == nil)
    }
}
