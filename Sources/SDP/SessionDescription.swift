/// A whole session description (RFC 8866), as far as WebRTC uses it (RFC 8829).
///
/// Values that a writer gave once for the session (fingerprint, setup, credentials, extensions, direction) are copied to
/// each line while parsing, so that readers only look at lines.
package struct SessionDescription: Equatable, Sendable {
    /// Texts longer than this are refused.
    package static let maximumByteCount = 65_536
    /// Descriptions with more lines are refused.
    package static let maximumLineCount = 64
    /// Further sources, candidates and formats of one line are ignored.
    static let maximumEntriesPerLine = 128

    package var sessionID: UInt64
    package var sessionVersion: UInt64
    /// The mids of each `a=group:BUNDLE`; the first mid of a group is its tag.
    package var bundleGroups: [[String]] = []
    package var isICELite = false
    package var allowsMixedExtensions = false
    package var lines: [MediaDescription] = []

    package init(sessionID: UInt64, sessionVersion: UInt64) {
        self.sessionID = sessionID
        self.sessionVersion = sessionVersion
    }
}
