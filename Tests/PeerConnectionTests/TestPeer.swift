import MediaTransport
import MediaTypes
import SDP
import Synchronization

@testable import PeerConnection

/// One end of a call in a test: a connection on 127.0.0.1 whose signals go to the other end.
// @unchecked: everything but the logs is touched on the loop.
final class TestPeer: @unchecked Sendable, PeerConnectionMediaSink, CustomReflectable {
    /// A failed expectation shows what it was about; not the whole connection, which Swift 6.0 would take minutes for.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    struct Options: Sendable {
        var isPolite = true
        var profiles = SRTPProfile.preferred
        var ice = ICEConfiguration(interfaces: InterfaceRules(fixedAddresses: ["127.0.0.1"]))
        var announcesForeignFingerprint = false
        /// Says that it only answers checks, as servers do.
        var claimsToBeLite = false
        var offersByItself = true
        var restartsByItself = true
        var timeout = Interval.seconds(Int64(30))
    }

    let loop: NetworkLoop
    let log = Mutex<[String]>([])
    let audioCount = Atomic<Int>(0)
    let videoCount = Atomic<Int>(0)
    private(set) var connection: PeerConnection?
    private weak var other: TestPeer?
    private let options: Options
    /// Signals wait here while true, as with a slow server.
    var holdsSignals = false
    private var held: [(TestPeer) -> Void] = []

    /// - Thread: cb-net.
    init(loop: NetworkLoop, options: Options = Options()) throws {
        self.loop = loop
        self.options = options
        let configuration = PeerConnectionConfiguration(
            certificate: try DTLSCertificate(), isPolite: options.isPolite, ice: options.ice,
            srtpProfiles: options.profiles, offersByItself: options.offersByItself,
            restartsByItself: options.restartsByItself, timeout: options.timeout)
        connection = try PeerConnection(loop: loop, configuration: configuration, mediaSink: self) {
            [weak self] event in
            self?.handle(event)
        }
    }

    static func connect(_ a: TestPeer, _ b: TestPeer) {
        a.other = b
        b.other = a
    }

    func close() {
        connection?.close()
        connection = nil
    }

    func has(_ line: String) -> Bool { log.withLock { $0.contains(line) } }
    func count(_ line: String) -> Int { log.withLock { $0.count { $0 == line } } }
    func lines() -> [String] { log.withLock { $0 } }

    func releaseSignals() {
        holdsSignals = false
        let waiting = held
        held = []
        for signal in waiting { send(signal) }
    }

    func received(audio packet: ReceivedAudioPacket, line: Int) {
        audioCount.wrappingAdd(1, ordering: .relaxed)
    }

    func received(video frame: ReceivedVideoFrame, line: Int) {
        videoCount.wrappingAdd(1, ordering: .relaxed)
    }

    private func send(_ signal: @escaping (TestPeer) -> Void) {
        if holdsSignals {
            held.append(signal)
            return
        }
        loop.later { [weak other] in
            if let other { signal(other) }
        }
    }

    private func note(_ line: String) { log.withLock { $0.append(line) } }

    private func handle(_ event: PeerConnectionEvent) {
        switch event {
        case .localDescription(let type, var sdp):
            note("description \(type.rawValue)")
            if options.announcesForeignFingerprint, let own = connection?.configuration.certificate.fingerprint.value {
                let foreign = String(own.reversed()).split(separator: ":").joined(separator: ":")
                sdp = sdp.split(separator: own, omittingEmptySubsequences: false).joined(separator: foreign)
            }
            if options.claimsToBeLite {
                sdp = sdp.split(separator: "t=0 0\r\n", maxSplits: 1, omittingEmptySubsequences: false)
                    .joined(separator: "t=0 0\r\na=ice-lite\r\n")
            }
            let text = sdp
            send { $0.connection?.receive(description: text, type: type) }
        case .localCandidate(let candidate, let mid, let index):
            note("candidate")
            send { $0.connection?.receive(candidate: candidate, mid: mid, lineIndex: index) }
        case .endOfCandidates:
            note("end of candidates")
            send { $0.connection?.endOfRemoteCandidates() }
        case .stateChanged(let state): note("\(state)")
        case .remoteTrack(let line, let kind, let stream, let track): note("track \(line) \(kind) \(stream) \(track)")
        case .trackRemoved(let line): note("track removed \(line)")
        case .keyFrameRequested(let line): note("key frame \(line)")
        case .bitrateAllowed: break
        case .dataChannelOpened(let label): note("opened \(label)")
        case .dataChannelClosed(let label): note("closed \(label)")
        case .messageReceived(let label, let text): note("message \(label) \(text)")
        case .failed(let reason): note("failed: \(reason)")
        }
    }
}
