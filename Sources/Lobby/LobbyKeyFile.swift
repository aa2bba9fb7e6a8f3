import Glibc
import Realtime

/// The file with the lobby's API keys, in LiveKit's form: one `name: secret` a line.
///
/// ```
/// # who may make tokens
/// APIreception: 3b0c…at least 16 characters, better 32…
/// ```
/// Names: 1–64 characters without space and colon. Blank lines and lines that begin with `#` are skipped; the secret may
/// stand in double quotes. The file should be readable by the service only (mode 0600 or a systemd credential).
package enum LobbyKeyFile {
    /// Bytes of a key file; more is a mistake.
    private static let maximumBytes = 64 * 1024

    /// - Errors: the file cannot be read, or a line is no key; never quotes a secret.
    /// - Thread: any that may block.
    package static func load(path: String) throws(LobbyKeyError) -> [LobbyKey] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(path: path, SystemError(code: errno, operation: "open the key file")) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw .system(path: path, SystemError(code: errno, operation: "read the key file")) }
        guard count < maximumBytes else { throw .malformed(path: path, line: 1, reason: "the file is too big") }
        return try parse(String(decoding: bytes[..<count], as: UTF8.self), path: path)
    }

    /// Whether others than the owner may read the file: worth a warning.
    package static func isExposed(path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    package static func parse(_ text: String, path: String) throws(LobbyKeyError) -> [LobbyKey] {
        var keys: [LobbyKey] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(line)
            if line.isEmpty || line.first == "#" { continue }
            let number = index + 1
            guard let colon = line.firstIndex(of: ":") else {
                throw .malformed(path: path, line: number, reason: "a key is written name: secret")
            }
            let name = trimmed(line[..<colon])
            guard (1...64).contains(name.utf8.count), !name.contains(where: \.isWhitespace) else {
                throw .malformed(path: path, line: number, reason: "a key's name has 1–64 characters without space")
            }
            var secret = trimmed(line[line.index(after: colon)...])
            if secret.count >= 2, secret.first == "\"", secret.last == "\"" { secret = secret.dropFirst().dropLast() }
            guard secret.utf8.count >= LobbyKey.leastSecretBytes else {
                throw .malformed(
                    path: path, line: number,
                    reason: "the secret is too short: \(LobbyKey.goodSecretBytes) random characters are good, "
                        + "\(LobbyKey.leastSecretBytes) the least")
            }
            guard !keys.contains(where: { $0.name == name }) else {
                throw .malformed(path: path, line: number, reason: "a key of this name stands above")
            }
            keys.append(LobbyKey(name: String(name), secret: Array(secret.utf8)))
        }
        guard !keys.isEmpty else { throw .malformed(path: path, line: 1, reason: "the file holds no key") }
        return keys
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
