/// Where a server's certificate comes from.
package enum ServerTLS: Sendable, Equatable {
    /// PEM files; the certificate's file may hold its chain.
    case files(certificate: String, key: String)
    /// Made here: ECDSA P-256 for these host names and addresses; with `keptAt` it stays the same across restarts.
    case selfMade(names: [String], keptAt: String?)
}
