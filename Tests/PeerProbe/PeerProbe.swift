import Glibc
import JSONText
import PeerConnection
import Telemetry

/// A peer connection driven over standard input, for the tests against other WebRTC stacks (`Tests/PeerTests/run_peers`).
///
/// ```
/// stdin   {"do":"start","polite":true,…}  {"do":"offer"}  {"do":"description","type":"answer","sdp":"…"}  …
/// stdout  {"event":"description","type":"offer","sdp":"…"}  {"event":"state","state":"connected"}  …
/// ```
/// It sends a tone and pictures with a frame counter, and reports what it hears and sees.
@main
struct PeerProbe {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        if let level = getenv("CALLBOX_LOG"), String(cString: level) == "debug" { Log.level = .debug }
        do {
            let loop = try NetworkLoop()
            let peer = ProbePeer(loop: loop)
            while let line = readLine() {
                do throws(JSONError) {
                    let command = try JSONValue(parsing: line)
                    if command["do"]?.string == "quit" { break }
                    loop.post { peer.execute(command) }
                } catch {
                    ProbeOutput.write(["event": "error", "text": .string("not JSON: \(error)")])
                }
            }
            loop.post { peer.close() }
            loop.stopAndJoin()
        } catch {
            ProbeOutput.write(["event": "error", "text": .string(error.description)])
            exit(1)
        }
    }
}
