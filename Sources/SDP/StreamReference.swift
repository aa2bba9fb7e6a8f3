/// The stream and the track that a line carries, `a=msid` (RFC 8830).
package struct StreamReference: Hashable, Sendable {
    /// Empty when the track belongs to no stream (`-`).
    package var streamID: String
    package var trackID: String

    package init(streamID: String, trackID: String) {
        self.streamID = streamID
        self.trackID = trackID
    }

    /// Parses `stream track`; the track may be missing, as RFC 8830 allows.
    package init?(attribute: some StringProtocol) {
        let words = AttributeText.words(attribute, limit: 3)
        guard let stream = words.first, AttributeText.isPlainWord(stream, maximumBytes: 256) else { return nil }
        let track = words.count > 1 && AttributeText.isPlainWord(words[1], maximumBytes: 256) ? words[1] : ""
        self.init(streamID: stream == "-" ? "" : stream, trackID: track)
    }

    package var attribute: String {
        let stream = streamID.isEmpty ? "-" : streamID
        return trackID.isEmpty ? stream : "\(stream) \(trackID)"
    }
}
