/// Text of the file inside a message: short, on one line, without anything that a terminal would obey.
func quoted(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(40) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.count > 40 ? "“\(result)…”" : "“\(result)”"
}
