import CSRTP

/// libsrtp, started once per process when the first connection needs it.
enum SRTPLibrary {
    private static let status: Int32 = Int32(srtp_init().rawValue)

    static func start() throws(SRTPError) {
        guard status == 0 else { throw .library(code: status) }
    }
}
