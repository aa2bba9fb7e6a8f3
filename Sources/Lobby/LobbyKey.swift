/// An API key: the name that a token's `iss` carries, and the secret that signs it.
package struct LobbyKey: Sendable, Equatable {
    /// A shorter secret can be guessed; HS256 (RFC 7518 §3.2) wants 32.
    package static let leastSecretBytes = 16
    package static let goodSecretBytes = 32

    package var name: String
    /// Never logged: every description shows the name only.
    package var secret: [UInt8]

    package init(name: String, secret: [UInt8]) {
        self.name = name
        self.secret = secret
    }

    /// Whether the secret is shorter than RFC 7518 wants.
    package var isWeak: Bool { secret.count < Self.goodSecretBytes }
}

extension LobbyKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "key \(name)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
