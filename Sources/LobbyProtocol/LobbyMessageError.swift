/// A message that cannot be understood: what is answered to it.
package struct LobbyMessageError: Error, Sendable, Equatable {
    package var code: LobbyErrorCode
    /// What is wrong, in plain words; never quotes the input, which may hold a token.
    package var text: String
    /// The number that the sender gave its message, when it could be found.
    package var request: Int64?

    package init(_ code: LobbyErrorCode, _ text: String, request: Int64? = nil) {
        self.code = code
        self.text = text
        self.request = request
    }
}
