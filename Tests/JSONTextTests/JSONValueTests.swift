import JSONText
import Testing

@Suite struct JSONValueTests {
    @Test(arguments: [
        "null", "true", "-7", "9223372036854775807", "0.5", "\"\"", "\"ä€😀 \\\" \\\\ \\n \\u0001\"", "[]", "{}",
        "[1,[2,{\"a\":[null]}]]", "{\"a\":1,\"b\":{\"c\":\"d\"}}",
    ])
    func anyValueIsWrittenAsItWasRead(text: String) throws {
        let value = try JSONValue(parsing: text)
        #expect(value.text() == text)
        #expect(try JSONValue(parsing: value.text(pretty: true)) == value)
    }

    @Test func keysAreSortedSoThatEqualValuesGiveEqualTexts() throws {
        let value = try JSONValue(parsing: #"{"b":1,"a":{"d":2,"c":3}}"#)
        #expect(value.text() == #"{"a":{"c":3,"d":2},"b":1}"#)
        #expect(value.text(pretty: true) == "{\n  \"a\": {\n    \"c\": 3,\n    \"d\": 2\n  },\n  \"b\": 1\n}")
    }

    @Test(arguments: [
        ("", JSONError.Reason.endsEarly), ("{\"a\":", .endsEarly), ("[1] 2", .trailingText),
        ("{\"a\":1,\"a\":2}", .duplicateKey), ("99999999999999999999", .numberOutOfRange),
        ("1e999", .numberOutOfRange), ("\"\\u0000\"", .nullCharacter), ("[1,]", .syntax), ("{'a':1}", .syntax),
        ("NaN", .syntax), ("\"\\ud800\"", .syntax), ("// c\n1", .syntax),
    ])
    func whatIsNotStrictJSONIsRefusedWithAReason(text: String, reason: JSONError.Reason) {
        let error = thrown(JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.reason == reason, "\(text): \(String(describing: error))")
    }

    @Test func brokenUTF8IsRefused() {
        for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]] {
            #expect(throws: JSONError.self) {
                try bytes.withUnsafeBytes { bytes throws(JSONError) in try JSONValue(parsing: bytes) }
            }
        }
    }

    @Test func anErrorTellsItsPlace() {
        let error = thrown(JSONError.self) { try JSONValue(parsing: "{\n  \"a\": x\n}") }
        #expect(error?.line == 2)
        #expect(error?.description.hasPrefix("line 2, column ") == true)
    }

    @Test func depthAndSizeAreCapped() throws {
        let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(throws: Never.self) { try JSONValue(parsing: deepest) }
        let tooDeep = thrown(JSONError.self) { try JSONValue(parsing: "[\n" + deepest + "]") }
        #expect(tooDeep?.reason == .tooDeep)
        #expect(tooDeep.map { [$0.line, $0.column] } == [2, 32])
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
        // Brackets inside strings are not nesting.
        #expect(throws: Never.self) { try JSONValue(parsing: "\"" + String(repeating: "\\\"[", count: 99) + "\"") }
        let tooBig = thrown(JSONError.self) { try JSONValue(parsing: "\"12345678\"", maximumBytes: 9) }
        #expect(tooBig?.reason == .tooBig)
    }

    @Test func accessorsAnswerNilForAnythingElse() throws {
        let value: JSONValue = ["a": 1, "b": [true, nil, 0.5], "c": "text"]
        #expect(value["a"]?.integer == 1)
        #expect(value["a"]?.number == 1)
        #expect(value["b"]?[0]?.bool == true)
        #expect(value["b"]?[1]?.isNull == true)
        #expect(value["b"]?[2]?.number == 0.5)
        #expect(value["b"]?[3] == nil)
        #expect(value["c"]?.string == "text")
        #expect(value["c"]?.integer == nil)
        #expect(value["d"] == nil)
        #expect(value[0] == nil)
        #expect(JSONValue.number(.infinity).text() == "null")
    }
}
