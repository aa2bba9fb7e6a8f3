/// The name and password with which ICE checks of one side are recognised (RFC 8839 §5.4). Secret: never log it.
package struct ICECredentials: Hashable, Sendable {
    package var ufrag: String
    package var pwd: String

    package init(ufrag: String, pwd: String) {
        self.ufrag = ufrag
        self.pwd = pwd
    }

    /// Whether both have a length that ICE allows and no character that would break a description.
    package var isValid: Bool {
        ufrag.utf8.count >= 4 && pwd.utf8.count >= 22 && AttributeText.isPlainWord(ufrag, maximumBytes: 256)
            && AttributeText.isPlainWord(pwd, maximumBytes: 256)
    }
}
