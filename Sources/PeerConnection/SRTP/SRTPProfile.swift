/// The ways of protecting media that the endpoint speaks (RFC 5764, RFC 7714).
package enum SRTPProfile: Sendable, Hashable, CaseIterable {
    case aeadAES128GCM
    case aes128CMSHA1

    /// In the order of preference.
    package static let preferred: [SRTPProfile] = [.aeadAES128GCM, .aes128CMSHA1]

    /// - Parameter identifier: the number in the use_srtp extension.
    init?(identifier: UInt) {
        guard let profile = SRTPProfile.allCases.first(where: { $0.identifier == identifier }) else { return nil }
        self = profile
    }

    var identifier: UInt {
        switch self {
        case .aeadAES128GCM: 7
        case .aes128CMSHA1: 1
        }
    }

    var openSSLName: String {
        switch self {
        case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
        case .aes128CMSHA1: "SRTP_AES128_CM_SHA1_80"
        }
    }

    var keyByteCount: Int { 16 }
    var saltByteCount: Int { self == .aeadAES128GCM ? 12 : 14 }
}
