/// Names a device the way the configuration does; what it means depends on the kind of device that is opened.
///
/// - Microphone and speaker: `default`, an ALSA card id (`Headset`, `card:Headset`), any ALSA PCM name (`hw:Headset`,
///   `plughw:CARD=Headset,DEV=1`); simulated: `tone:FREQUENCY[,LEVEL]`, `file:PATH.wav`, `discard`.
/// - Camera: `default`, `/dev/video0`, `by-id/…`, `by-path/…`, a card name, a bus address (`usb-0000:00:14.0-1`), each
///   with `,format=FOURCC` behind it to take no other pixel format; simulated: `test-pattern[:variant=NUMBER][,size=WxH]`,
///   `file:PATH.y4m`.
/// - Display: `kms[:card=NAME][,connector=NAME][,mode=WxH[@RATE]][,api=atomic|legacy]`; simulated:
///   `snapshots:DIRECTORY[,period=MS][,keep=COUNT][,size=WxH]`, `none`.
package struct DeviceSpecifier: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// As it was written.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    package var description: String { text }

    /// What stands before the first colon, or all of it.
    package var scheme: String {
        guard let colon = text.firstIndex(of: ":") else { return text }
        return String(text[..<colon])
    }

    /// What stands behind the first colon; empty when there is none.
    package var argument: String {
        guard let colon = text.firstIndex(of: ":") else { return "" }
        return String(text[text.index(after: colon)...])
    }

    /// The argument cut into its first part and the `key=value` options behind it.
    ///
    /// Only trailing parts that look like an option are cut off, so that a path may contain a comma.
    var argumentAndOptions: (first: String, options: [(key: String, value: String)]) {
        var parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        var options: [(key: String, value: String)] = []
        while parts.count > 1, let last = parts.last, let equals = last.firstIndex(of: "="), isKey(last[..<equals]) {
            options.append((String(last[..<equals]), String(last[last.index(after: equals)...])))
            parts.removeLast()
        }
        return (parts.joined(separator: ","), options.reversed())
    }

    private func isKey(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
