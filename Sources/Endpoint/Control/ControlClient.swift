import Glibc
import JSONText

/// Asks a running endpoint over its control socket.
package enum ControlClient {
    static let timeoutMilliseconds: Int32 = 6_000

    /// Sends one request and waits for its answer, at most 6 s.
    package static func ask(path: String, request: JSONValue) throws(ControlError) -> JSONValue {
        let descriptor = try connect(path: path)
        defer { Glibc.close(descriptor) }
        guard
            UnixSocket.write(
                descriptor, request.text(pretty: false) + "\n", timeoutMilliseconds: timeoutMilliseconds),
            let line = UnixSocket.readLine(descriptor, timeoutMilliseconds: timeoutMilliseconds)
        else { throw .badAnswer(path: path) }
        do throws(JSONError) {
            return try JSONValue(
                parsing: String(decoding: line, as: UTF8.self), maximumBytes: UnixSocket.maximumMessageBytes)
        } catch {
            throw .badAnswer(path: path)
        }
    }

    /// Whether somebody listens there.
    static func isAnswered(path: String) -> Bool {
        do throws(ControlError) {
            Glibc.close(try connect(path: path))
            return true
        } catch {
            return false
        }
    }

    private static func connect(path: String) throws(ControlError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw .system(path: path, operation: "socket", text: UnixSocket.errorText(errno))
        }
        let result: Int32
        do throws(ControlError) {
            result = try UnixSocket.withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        guard result == 0 else {
            Glibc.close(descriptor)
            if result == ENOENT || result == ECONNREFUSED { throw .noEndpoint(path: path) }
            throw .system(path: path, operation: "connect", text: UnixSocket.errorText(result))
        }
        return descriptor
    }
}
