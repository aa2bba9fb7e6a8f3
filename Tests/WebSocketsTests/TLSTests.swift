import COpenSSL
import Glibc
import Testing

@testable import WebSockets

@Suite(.serialized, .timeLimit(.minutes(2))) struct TLSTests {
    private func connect(
        _ url: String, _ trust: ServerTrust, _ check: (ClientRecorder) -> Void
    ) async throws {
        try await withClient(url, trust: trust) { client, recorder in
            client.send("x")
            #expect(await eventually { recorder.now.texts == ["x"] || recorder.now.failure != nil })
            check(recorder)
        }
    }

    private func temporaryPath() -> String {
        "/tmp/callbox-tls-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).pem"
    }

    @Test func aSelfMadeCertificateIsAcceptedByItsFingerprintOnly() async throws {
        try await withEchoServer({ $0.tls = .selfMade(names: ["localhost"], keptAt: nil) }) { server, _ in
            let fingerprint = try #require(server.identity?.fingerprint)
            #expect(fingerprint.utf8.count == 95)
            let url = "wss://localhost:\(server.port)"
            try await connect(url, .pinned(fingerprint: fingerprint)) { #expect($0.now.texts == ["x"]) }
            try await connect(url, .pinned(fingerprint: fingerprint.lowercased().filter { $0 != ":" })) {
                #expect($0.now.texts == ["x"])
            }
            let other = (fingerprint.hasPrefix("00") ? "11" : "00") + fingerprint.dropFirst(2)
            try await connect(url, .pinned(fingerprint: other)) {
                #expect($0.now.failure == .certificatePinMismatch)
            }
            try await connect(url, .system) { recorder in
                guard case .certificateUntrusted = recorder.now.failure else {
                    Issue.record("\(String(describing: recorder.now.failure))")
                    return
                }
            }
            try await connect(url, .pinned(fingerprint: "12:34")) { recorder in
                guard case .certificate = recorder.now.failure else {
                    Issue.record("\(String(describing: recorder.now.failure))")
                    return
                }
            }
        }
    }

    @Test func aKeptCertificateStaysTheSameAndIsPrivate() async throws {
        let path = temporaryPath()
        defer { unlink(path) }
        let source = ServerTLS.selfMade(names: ["door.local", "192.0.2.7", "::1"], keptAt: path)
        let first = try TLSIdentity.make(source)
        let second = try TLSIdentity.make(source)
        #expect(first.fingerprint == second.fingerprint)
        #expect(first.remainingSeconds > 3600 * 86_400)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func aCertificateFromFilesIsCheckedByAuthorityAndHostName() async throws {
        let path = temporaryPath()
        defer { unlink(path) }
        _ = try TLSIdentity.make(.selfMade(names: ["localhost", "::1"], keptAt: path))
        try await withEchoServer({ $0.tls = .files(certificate: path, key: path) }) { server, _ in
            try await connect("wss://[::1]:\(server.port)", .authorities(file: path)) {
                #expect($0.now.texts == ["x"], "\(String(describing: $0.now.failure))")
            }
            try await connect("wss://localhost:\(server.port)", .authorities(file: path)) {
                #expect($0.now.texts == ["x"], "\(String(describing: $0.now.failure))")
            }
            try await connect("wss://127.0.0.1:\(server.port)", .authorities(file: path)) {
                #expect($0.now.failure == .certificateForAnotherHost)
            }
            try await connect("wss://localhost:\(server.port)", .authorities(file: "/nonexistent")) { recorder in
                guard case .certificate = recorder.now.failure else {
                    Issue.record("\(String(describing: recorder.now.failure))")
                    return
                }
            }
            // Plain HTTP on the TLS port, and the reverse, end in an error.
            try await connect("ws://localhost:\(server.port)", .system) { #expect($0.now.failure != nil) }
        }
        try await withEchoServer { server, _ in
            try await connect("wss://localhost:\(server.port)", .system) { #expect($0.now.failure != nil) }
        }
    }

    @Test func aCertificateOfTheFutureAndOneOfThePastAreToldApart() async throws {
        for (path, first, last, error) in [
            (temporaryPath(), 86_400, 2 * 86_400, WebSocketError.certificateNotYetValid),
            (temporaryPath(), -2 * 86_400, -86_400, .certificateExpired),
        ] {
            defer { unlink(path) }
            _ = try TLSIdentity.make(.selfMade(names: ["localhost"], keptAt: path))
            try redate(path, from: first, to: last)
            try await withEchoServer({ $0.tls = .files(certificate: path, key: path) }) { server, _ in
                try await connect("wss://localhost:\(server.port)", .authorities(file: path)) {
                    #expect($0.now.failure == error)
                }
            }
        }
    }

    /// Gives a self-made certificate other dates: seconds from now.
    private func redate(_ path: String, from first: Int, to last: Int) throws {
        let file = try #require(fopen(path, "r"))
        let certificate = try #require(PEM_read_X509(file, nil, nil, nil))
        rewind(file)
        let key = try #require(PEM_read_PrivateKey(file, nil, nil, nil))
        fclose(file)
        defer {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        X509_gmtime_adj(X509_getm_notBefore(certificate), first)
        X509_gmtime_adj(X509_getm_notAfter(certificate), last)
        try #require(X509_sign(certificate, key, EVP_sha256()) > 0)
        let out = try #require(fopen(path, "w"))
        defer { fclose(out) }
        try #require(PEM_write_X509(out, certificate) == 1)
        try #require(PEM_write_PrivateKey(out, key, nil, nil, 0, nil, nil) == 1)
    }

    @Test func unusableCertificateFilesAreTold() throws {
        let certificate = temporaryPath()
        let other = temporaryPath()
        defer {
            unlink(certificate)
            unlink(other)
        }
        _ = try TLSIdentity.make(.selfMade(names: ["a"], keptAt: certificate))
        _ = try TLSIdentity.make(.selfMade(names: ["b"], keptAt: other))
        for (certificate, key, words) in [
            ("/nonexistent", other, "no certificate"), (certificate, "/dev/null", "no private key"),
            (certificate, other, "is not the key of"),
        ] {
            let error = thrown(WebSocketError.self) {
                try TLSIdentity.make(.files(certificate: certificate, key: key))
            }
            #expect(error?.description.contains(words) == true)
        }
        #expect(throws: WebSocketError.self) {
            try TLSIdentity.make(.selfMade(names: ["a"], keptAt: "/nonexistent/x.pem"))
        }
    }

    @Test(arguments: [
        ("ws://a", "ws://a/ws"), ("wss://a:8443/x?y=1#z", "wss://a:8443/x?y=1"), ("ws://[::1]:80/", "ws://[::1]/"),
        ("http://a:8080", "ws://a:8080/ws"), ("https://A.example?x", "wss://A.example/?x"),
    ])
    func addressesAreRead(text: String, result: String) throws {
        #expect(try WebSocketURL(text, defaultPath: "/ws").description == result)
    }

    @Test(arguments: [
        "", "a", "ftp://a", "ws://", "ws://:80", "ws://a:0", "ws://a:65536", "ws://a:x", "ws://u@a", "ws://[::1",
        "ws://a b",
        "ws://[::1]x",
    ])
    func wrongAddressesAreRefused(text: String) {
        #expect(throws: WebSocketError.self) { try WebSocketURL(text) }
    }
}
