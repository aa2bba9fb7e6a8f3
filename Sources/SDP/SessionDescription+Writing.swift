extension SessionDescription {
    /// The text of the description, each line ended by carriage return and line feed.
    package var text: String {
        var writer = DescriptionWriter()
        writer.line("v=0")
        writer.line("o=- \(sessionID) \(sessionVersion) IN IP4 127.0.0.1")
        writer.line("s=-")
        writer.line("t=0 0")
        for group in bundleGroups { writer.attribute("group", (["BUNDLE"] + group).joined(separator: " ")) }
        if isICELite { writer.attribute("ice-lite") }
        if allowsMixedExtensions { writer.attribute("extmap-allow-mixed") }
        writer.attribute("msid-semantic", " WMS *")
        for line in lines { writer.write(line) }
        return writer.text
    }
}
