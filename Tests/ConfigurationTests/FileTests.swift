import Glibc
import Testing

@testable import Configuration

@Suite struct FileTests {
    /// A file with this content, removed afterwards.
    private func withFile<Result>(_ content: [UInt8], _ body: (String) -> Result) -> Result {
        var template = Array("/tmp/callbox-test-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        #expect(file >= 0)
        let path = template.withUnsafeBufferPointer {
            String(decoding: $0.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        }
        content.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
        close(file)
        defer { unlink(path) }
        return body(path)
    }

    private func loadProblems(_ path: String) -> String {
        do throws(ConfigurationProblems) {
            _ = try Configuration.load(path)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func aFileThatCannotBeReadIsAProblem() {
        #expect(
            loadProblems("/nowhere/callbox.yaml") == "/nowhere/callbox.yaml: cannot be read: No such file or directory")
        #expect(loadProblems("/tmp") == "/tmp: cannot be read: it is a directory")
        #expect(loadProblems("/dev/zero") == "/dev/zero: the file is too large; allowed: at most 256 KiB")
    }

    @Test func problemsNameTheFile() {
        withFile(Array("audio: {fec: 1}\nlog: {level: loud}".utf8)) { path in
            #expect(
                loadProblems(path)
                    == """
                    \(path):1:14: audio.fec: “1” is neither true nor false; allowed: true or false (did you mean true?)
                    \(path):2:14: log.level: “loud” is not known; allowed: error, warning, notice, info, debug
                    """)
        }
    }

    private func secret(_ content: [UInt8]) -> String {
        withFile(content) { path in
            do throws(FileReadError) {
                return try Secret.load(file: path).text
            } catch {
                return "error: \(error)"
            }
        }
    }

    @Test func aSecretIsTheTextOfItsFileWithoutSpaceAround() {
        #expect(secret(Array("abc".utf8)) == "abc")
        #expect(secret(Array("  a b\r\n\n".utf8)) == "a b")
        #expect(secret(Array("\n".utf8)) == "error: the file is empty")
        #expect(secret(Array("a\nb\n".utf8)) == "error: the file is not one line of text")
        #expect(secret([0xFF]) == "error: the file is not one line of text")
        #expect(
            secret([UInt8](repeating: 65, count: 20_000)) == "error: the file is too large; allowed: at most 16 KiB")
    }

    @Test func aMissingSecretFileIsAnError() {
        #expect(throws: FileReadError.system(code: ENOENT)) { try Secret.load(file: "/nowhere/token") }
    }
}
