import Glibc
import JSONText
import Realtime
import Testing

@testable import Endpoint

@Suite(.serialized) struct ControlSocketTests {
    func temporaryPath() -> String {
        "/tmp/callbox-control-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    }

    @Test func aRequestIsAnsweredByTheHandler() async throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { request in ["echo": request] }
        defer { server.stop() }
        let answer = try await ask(path, ["command": "status"])
        #expect(answer == ["echo": ["command": "status"]])
    }

    @Test func theSocketIsForUserAndGroupOnlyAndGoneAfterwards() async throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in .null }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o660)
        server.stop()
        #expect(stat(path, &status) != 0)
    }

    @Test func garbageIsAnsweredAndTheNextRequestIsServed() async throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in ["good": true] }
        defer { server.stop() }
        #expect(try raw(path, "{{{{\n") == "{\"error\":\"the request is not JSON\"}")
        #expect(
            try raw(path, String(repeating: "[", count: 10_000) + "\n") == "{\"error\":\"the request is not JSON\"}")
        let answer = try await ask(path, [:])
        #expect(answer == ["good": true])
    }

    @Test func aClientThatSaysNothingDoesNotBlockTheOthersForLong() async throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in ["good": true] }
        defer { server.stop() }
        let silent = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(silent) }
        #expect(try UnixSocket.withAddress(path) { connect(silent, $0, $1) } == 0)
        let answer = try await ask(path, [:])
        #expect(answer == ["good": true])
    }

    @Test func withoutAnEndpointTheErrorSaysSo() async {
        let path = temporaryPath()
        await #expect {
            _ = try await ask(path, [:])
        } throws: { "\($0)" == "no endpoint is running with control socket \(path)" }
    }

    @Test func aSocketOfARunningEndpointIsNotTakenOverAndALeftOneIs() async throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in .null }
        #expect {
            _ = try ControlServer(path: path) { _ in .null }
        } throws: { "\($0)".contains("an endpoint that is running") }
        server.stop()
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(try UnixSocket.withAddress(path) { bind(left, $0, $1) } == 0)
        close(left)
        let second = try ControlServer(path: path) { _ in ["second": true] }
        defer { second.stop() }
        let answer = try await ask(path, [:])
        #expect(answer == ["second": true])
    }

    /// Asks on a thread of its own: the handler runs on the shared pool, which must not wait for its own answer.
    private func ask(_ path: String, _ request: JSONValue) async throws -> JSONValue {
        var thread: RealtimeThread?
        defer { thread?.stopAndJoin() }
        return try await withCheckedThrowingContinuation { continuation in
            do {
                thread = try RealtimeThread(name: "cb-test") { _ in
                    continuation.resume(with: Result { try ControlClient.ask(path: path, request: request) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func raw(_ path: String, _ text: String) throws -> String? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(try UnixSocket.withAddress(path) { connect(descriptor, $0, $1) } == 0)
        #expect(UnixSocket.write(descriptor, text, timeoutMilliseconds: 2_000))
        return UnixSocket.readLine(descriptor, timeoutMilliseconds: 5_000).map { String(decoding: $0, as: UTF8.self) }
    }
}
