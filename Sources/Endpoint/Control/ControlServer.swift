import Glibc
import JSONText
import Realtime
import Synchronization
import Telemetry

/// Answers `callbox status` and later `callbox ctl`: one JSON request line, one JSON answer line per connection, over a
/// Unix socket that only the service's user and group may open.
///
/// - Thread: `cb-control` serves one client at a time; the handler runs on the shared pool.
package final class ControlServer: Sendable {
    package typealias Handler = @Sendable (JSONValue) async -> JSONValue

    static let clientTimeoutMilliseconds: Int32 = 2_000

    private let path: String
    private let listener: Int32
    private let wakeSignal: EventSignal
    private let thread = Mutex<RealtimeThread?>(nil)

    /// Takes the socket over from an endpoint that is no longer running.
    package init(path: String, handler: @escaping Handler) throws(ControlError) {
        self.path = path
        if ControlClient.isAnswered(path: path) { throw .inUse(path: path) }
        unlink(path)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else {
            throw .system(path: path, operation: "socket", text: UnixSocket.errorText(errno))
        }
        self.listener = listener
        let before = umask(0o117)
        let bound = try UnixSocket.withAddress(path) { bind(listener, $0, $1) == 0 ? 0 : errno }
        umask(before)
        guard bound == 0 else {
            Glibc.close(listener)
            throw .system(path: path, operation: "bind", text: UnixSocket.errorText(bound))
        }
        guard listen(listener, 8) == 0 else {
            let code = errno
            Glibc.close(listener)
            throw .system(path: path, operation: "listen", text: UnixSocket.errorText(code))
        }
        do throws(SystemError) {
            let signal = try EventSignal()
            wakeSignal = signal
            let handle = try RealtimeThread(
                name: "cb-control", priority: .normal, stackBytes: 128 * 1_024, wakeSignal: signal,
                patience: Heartbeat.devicePatience
            ) { stop in
                ControlServer.serve(listener, wakeSignal: signal, stop: stop, handler: handler)
            }
            thread.withLock { $0 = handle }
        } catch {
            Glibc.close(listener)
            throw .system(path: path, operation: "start", text: "\(error)")
        }
    }

    /// Returns when the thread has ended; the socket is gone from the file system.
    package func stop() {
        let taken = thread.withLock { handle in
            let taken = handle
            handle = nil
            return taken
        }
        guard let taken else { return }
        taken.stopAndJoin()
        Glibc.close(listener)
        unlink(path)
    }

    private static func serve(_ listener: Int32, wakeSignal: EventSignal, stop: StopFlag, handler: @escaping Handler) {
        while !stop.isSet {
            var entries = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeSignal.fileDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 2, -1) > 0, !stop.isSet else { continue }
            if entries[1].revents != 0 { wakeSignal.drain() }
            guard entries[0].revents != 0 else { continue }
            let client = accept(listener, nil, nil)
            guard client >= 0 else { continue }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            answer(client, handler: handler)
            Glibc.close(client)
        }
    }

    private static func answer(_ client: Int32, handler: @escaping Handler) {
        guard let line = UnixSocket.readLine(client, timeoutMilliseconds: clientTimeoutMilliseconds) else { return }
        let reply: JSONValue
        do throws(JSONError) {
            let request = try JSONValue(
                parsing: String(decoding: line, as: UTF8.self), maximumBytes: UnixSocket.maximumMessageBytes)
            reply = waitFor(request, handler: handler)
        } catch {
            reply = ["error": "the request is not JSON"]
        }
        _ = UnixSocket.write(
            client, reply.text(pretty: false) + "\n", timeoutMilliseconds: clientTimeoutMilliseconds)
    }

    /// Carries the answer from the pool to the waiting thread.
    private final class Box: Sendable {
        let value = Mutex<JSONValue?>(nil)
    }

    private static func waitFor(_ request: JSONValue, handler: @escaping Handler) -> JSONValue {
        do throws(SystemError) {
            let done = try EventSignal()
            let box = Box()
            Task {
                let value = await handler(request)
                box.value.withLock { $0 = value }
                done.signal()
            }
            guard done.wait(timeoutMilliseconds: 5_000) else { return ["error": "the endpoint is busy"] }
            return box.value.withLock { $0 } ?? .null
        } catch {
            return ["error": "no descriptors left"]
        }
    }
}
