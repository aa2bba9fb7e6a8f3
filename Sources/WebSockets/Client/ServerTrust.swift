/// Which server certificate a client accepts.
package enum ServerTrust: Sendable, Equatable {
    /// Issued by an authority that the system trusts, for the host's name.
    case system
    /// Issued by an authority in this PEM file, for the host's name.
    case authorities(file: String)
    /// This very certificate, by its SHA-256 fingerprint; names and dates do not matter.
    case pinned(fingerprint: String)
}
