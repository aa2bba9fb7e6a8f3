import Glibc
import Testing

@testable import Calls

@Suite struct CallTraceTests {
    /// The page is held to the same file. Written anew by `CALLBOX_WRITE_CALL_TRACE=1 swift test --filter CallTraceTests`.
    @Test func theTraceThatThePageIsHeldToIsThatOfTheCode() throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/Tests/Fixtures/calls/trace.jsonl"
        var trace = ""
        for seed in UInt64(1)...4 { trace += CallTrace(seed: seed, steps: 500).text }
        if getenv("CALLBOX_WRITE_CALL_TRACE") != nil {
            let file = try #require(fopen(path, "w"))
            fputs(trace, file)
            fclose(file)
        }
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        #expect(String(decoding: bytes[..<count], as: UTF8.self) == trace, "write \(path) anew")
    }
}
