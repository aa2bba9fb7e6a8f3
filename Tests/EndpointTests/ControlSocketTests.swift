import Glibc
import JSONText
import Testing

@testable import Endpoint

@Suite(.serialized) struct ControlSocketTests {
    func temporaryPath() -> String {
        "/tmp/callbox-control-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
    }

    @Test func aRequestIsAnsweredByTheHandler() throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { request in ["echo": request] }
        defer { server.stop() }
        let answer = try ControlClient.ask(path: path, request: ["command": "status"])
        #expect(answer == ["echo": ["command": "status"]])
    }

    @Test func theSocketIsForUserAndGroupOnlyAndGoneAfterwards() throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in .null }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o660)
        server.stop()
        #expect(stat(path, &status) != 0)
    }

    @Test func garbageIsAnsweredAndTheNextRequestIsServed() throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in ["good": true] }
        defer { server.stop() }
        #expect(try raw(path, "{{{{\n") == "{\"error\":\"the request is not JSON\"}")
        #expect(
            try raw(path, String(repeating: "[", count: 10_000) + "\n") == "{\"error\":\"the request is not JSON\"}")
        #expect(try ControlClient.ask(path: path, request: [:]) == ["good": true])
    }

    @Test func aClientThatSaysNothingDoesNotBlockTheOthersForLong() throws {
        let path = temporaryPath()
        let server = try ControlServer(path: path) { _ in ["good": true] }
        defer { server.stop() }
        let silent = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(silent) }
        #expect(try UnixSocket.withAddress(path) { connect(silent, $0, $1) } == 0)
        #expect(try ControlClient.ask(path: path, request: [:]) == ["good": true])
    }

    @Test func withoutAnEndpointTheErrorSaysSo() {
        let path = temporaryPath()
        #expect {
            _ = try ControlClient.ask(path: path, request: [:])
        } throws: { "\($0)" == "no endpoint is running with control socket \(path)" }
    }

    @Test func aSocketOfARunningEndpointIsNotTakenOverAndALeftOneIs() throws {
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
        #expect(try ControlClient.ask(path: path, request: [:]) == ["second": true])
    }

    private func raw(_ path: String, _ text: String) throws -> String? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(try UnixSocket.withAddress(path) { connect(descriptor, $0, $1) } == 0)
        #expect(UnixSocket.write(descriptor, text, timeoutMilliseconds: 2_000))
        return UnixSocket.readLine(descriptor, timeoutMilliseconds: 5_000).map { String(decoding: $0, as: UTF8.self) }
    }
}
