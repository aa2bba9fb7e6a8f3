import JSONText

/// The status as a person reads it.
enum StatusText {
    static func text(of status: JSONValue) -> String {
        var lines: [String] = []
        let reason = status["reason"]?.string ?? ""
        let state = status["state"]?.string ?? "unknown"
        let suffix = reason.isEmpty || reason == "requested" ? "" : " (\(reason))"
        lines.append("room        \(status["room"]?.string ?? "")  \(state)\(suffix)")
        let identity = status["participant"]
        lines.append("endpoint    \(identity?["id"]?.string ?? "")  \(identity?["name"]?.string ?? "")")
        for participant in status["participants"]?.array ?? [] {
            var line = "with        \(participant["id"]?.string ?? "")  \(participant["connection"]?.string ?? "")"
            if let video = participant["video"], let width = video["width"]?.integer, width > 0 {
                line += "  picture \(width)x\(video["height"]?.integer ?? 0)"
            }
            if let audio = participant["audio"] {
                line += "  sound \(audio["level_dbov"]?.integer ?? -127) dB"
            }
            if participant["audio_muted"]?.bool == true { line += "  muted" }
            if participant["video_muted"]?.bool == true { line += "  camera off" }
            lines.append(line)
        }
        for (name, device) in (status["devices"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            let fault = device["fault"]?.string
            let open = device["open"]?.string
            lines.append("\(padded(name))\(fault ?? open ?? "closed")")
        }
        let sent = status["sent"]
        lines.append(
            "sent        \(sent?["frames"]?.integer ?? 0) pictures, \(seconds(sent?["audio_seconds"])) s of sound")
        let played = status["played"]
        lines.append(
            "played      \(played?["frames"]?.integer ?? 0) pictures, \(seconds(played?["audio_seconds"])) s of sound, "
                + "\(seconds(played?["concealed_seconds"])) s concealed")
        lines.append(
            "process     \(seconds(status["cpu_s"])) s CPU, \((status["rss_kib"]?.integer ?? 0) / 1_024) MB, "
                + "\(status["threads"]?.integer ?? 0) threads")
        return lines.joined(separator: "\n")
    }

    private static func padded(_ name: String) -> String {
        name + String(repeating: " ", count: max(1, 12 - name.count))
    }

    private static func seconds(_ value: JSONValue?) -> String {
        let number = value?.number ?? Double(value?.integer ?? 0)
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
