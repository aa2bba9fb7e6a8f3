import JSONText

/// The answer to `callbox ctl` as a person reads it.
enum CtlText {
    static func text(of answer: JSONValue) -> String {
        if let lines = answer["lines"]?.array { return table(of: lines) }
        let call = answer["call"]
        var words = ["call \(call?["state"]?.string ?? "idle")"]
        if let partner = call?["partner"]?.string { words[0] += " with \(partner)" }
        words.append(answer["microphone"]?["muted"]?.bool == true ? "muted" : "microphone on")
        words.append(answer["camera"]?["off"]?.bool == true ? "camera off" : "camera on")
        if let volume = answer["volume"]?.integer { words.append("volume \(volume) %") }
        switch answer["restart"]?.string {
        case "now": words.append("restarts now")
        case "when idle": words.append("restarts when nobody talks")
        default: break
        }
        return words.joined(separator: ", ")
    }

    /// One line of text per button, LED or relay.
    static func table(of lines: [JSONValue]) -> String {
        if lines.isEmpty { return "no button, LED or relay is configured" }
        return lines.map { line in
            let name = line["name"]?.string ?? ""
            let kind = line["kind"]?.string ?? ""
            var words = [padded(name, 14), padded(kind, 8), line["active"]?.bool == true ? "on " : "off"]
            if let pattern = line["pattern"]?.string { words.append("(\(pattern))") }
            if let fault = line["fault"]?.string { words.append("FAULT: \(fault)") }
            return words.joined(separator: " ")
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
