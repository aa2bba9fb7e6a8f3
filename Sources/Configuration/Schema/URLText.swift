/// The parts of `scheme://host:port/path` that the configuration needs; user names and fragments are refused.
struct URLText {
    let scheme: String
    let host: String
    let port: Int?

    init?(_ text: String, schemes: [String]) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#"),
            let scheme = schemes.first(where: { text.hasPrefix("\($0)://") })
        else { return nil }
        let rest = text.dropFirst(scheme.count + 3)
        guard let authority = HostAndPort(rest.prefix { $0 != "/" && $0 != "?" }) else { return nil }
        self.scheme = scheme
        host = authority.host
        port = authority.port
    }
}
