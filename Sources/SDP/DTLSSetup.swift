/// Who opens the DTLS association, as written in `a=setup` (RFC 8842 §5.2).
package enum DTLSSetup: String, Hashable, Sendable {
    case active
    case passive
    case actpass
}
