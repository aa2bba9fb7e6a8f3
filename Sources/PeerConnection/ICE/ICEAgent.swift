import CNetworkShims
import SDP
import Telemetry

/// One ICE agent of libnice with its sockets: a single path for everything, since all media is bundled.
///
/// An ICE restart is a new agent beside the old one, which keeps carrying media until the new one is connected.
/// - Thread: `cb-net` only; every callback comes from the loop, never from inside a call to this object.
/// - Source: RFC 8445, RFC 8838 (trickle), RFC 7675 (consent).
final class ICEAgent {
    enum State: Sendable {
        case new
        case connecting
        case connected
        /// All checks failed, or the far side's consent has ended.
        case failed
    }

    /// The kinds of the two ends of the selected path: "host", "srflx", "prflx", "relay", and "udp" or "tcp".
    struct Path: Equatable, Sendable {
        var local: String
        var remote: String
        var transport: String
    }

    enum Event {
        case candidate(ICECandidate)
        case gathered
        case stateChanged(State)
        case pathSelected(Path)
    }

    /// Most candidates of either side that are taken; more would only cost checks.
    private static let candidateLimit = 100

    let localCredentials: ICECredentials
    /// This machine's addresses when the agent was made; libnice does not look again.
    let addresses: [String]
    private(set) var state = State.new
    private(set) var path: Path?
    /// Local candidates so far.
    private(set) var localCandidates: [ICECandidate] = []
    /// `gather` was called.
    private(set) var isGathering = false
    /// No more candidates come.
    private(set) var isGathered = false
    private(set) var remoteCredentials: ICECredentials?

    private let loop: NetworkLoop
    private let configuration: ICEConfiguration
    private var ice: OpaquePointer?
    private var onEvent: ((Event) -> Void)?
    private var onDatagram: ((UnsafeMutableRawBufferPointer) -> Void)?
    private var remoteCandidateCount = 0

    /// - Parameter isControlling: the side that chooses the path: the offerer, or the full side of a lite one.
    init(
        loop: NetworkLoop, configuration: ICEConfiguration, isControlling: Bool,
        onEvent: @escaping (Event) -> Void, onDatagram: @escaping (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ICEError) {
        self.loop = loop
        self.configuration = configuration
        self.onEvent = onEvent
        self.onDatagram = onDatagram
        guard let (ice, credentials) = ICEAgent.make(loop, configuration, isControlling) else {
            throw .library("make an agent")
        }
        self.ice = ice
        localCredentials = credentials
        addresses = configuration.interfaces.localAddresses()
        ccb_ice_set_context(ice, Unmanaged.passUnretained(self).toOpaque())
        for address in addresses { ccb_ice_add_local_address(ice, address) }
        for server in configuration.servers where server.kind != .stun {
            let kind = server.kind == .relayTCP ? CCB_ICE_RELAY_TCP : CCB_ICE_RELAY_UDP
            ccb_ice_add_relay(
                ice, server.host, Int32(server.port), server.user, server.password, Int32(kind.rawValue))
        }
    }

    deinit {
        precondition(ice == nil, "an ICE agent is closed before it is released")
    }

    /// Starts to gather candidates; each comes as an event.
    func gather() {
        guard let ice, !isGathering else { return }
        isGathering = true
        if ccb_ice_gather(ice) < 0 {
            Log.warning("ice", "no local address to gather candidates on")
            isGathered = true
            loop.later { [weak self] in self?.onEvent?(.gathered) }
        }
    }

    /// Decides again who chooses the path; has no effect once candidates are gathered, and then the two sides find out.
    func setControlling(_ isControlling: Bool) {
        guard let ice else { return }
        ccb_ice_set_controlling(ice, isControlling ? 1 : 0)
    }

    /// Lets checks begin.
    func setRemote(_ credentials: ICECredentials) {
        guard let ice, remoteCredentials != credentials else { return }
        remoteCredentials = credentials
        ccb_ice_set_remote_credentials(ice, credentials.ufrag, credentials.pwd)
    }

    /// Takes a candidate of the far side.
    /// - Returns: false when it cannot be used (a `.local` name, another component, one too many); it is then ignored.
    @discardableResult
    func addRemoteCandidate(_ candidate: ICECandidate) -> Bool {
        guard let ice, remoteCandidateCount < ICEAgent.candidateLimit, candidate.component == 1,
            !candidate.isMulticastDNSName, candidate.transport == .udp || candidate.tcpType != nil
        else { return false }
        guard ccb_ice_add_remote_candidate(ice, candidate.text) > 0 else { return false }
        remoteCandidateCount += 1
        return true
    }

    func endOfRemoteCandidates() {
        guard let ice else { return }
        ccb_ice_remote_candidates_done(ice)
    }

    /// Sends one datagram on the selected path; false when it was dropped (no path yet, or the socket is full).
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let ice, let base = bytes.baseAddress else { return false }
        return ccb_ice_send(ice, base, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
    }

    /// Whether the selected path can still leave a machine that has these addresses. Without a path: true.
    func isPathUsable(with addresses: [String]) -> Bool {
        guard let ice, let path else { return true }
        // How a relay is reached is libnice's secret: it may be by any of the addresses.
        if path.local == "relay" { return self.addresses.allSatisfy { addresses.contains($0) } }
        var text = [CChar](repeating: 0, count: 64)
        guard ccb_ice_path_address(ice, &text, text.count) == 0 else { return true }
        return addresses.contains(ICEAgent.text(of: text))
    }

    /// Ends the agent: no event afterwards; the sockets are closed when the running handler has returned.
    func close() {
        guard let ice else { return }
        self.ice = nil
        onEvent = nil
        onDatagram = nil
        ccb_ice_set_context(ice, nil)
        loop.later { ccb_ice_free(ice) }
    }

    fileprivate func found(_ text: String) {
        guard localCandidates.count < ICEAgent.candidateLimit, var candidate = ICECandidate(parsing: text) else {
            return
        }
        candidate.usernameFragment = localCredentials.ufrag
        localCandidates.append(candidate)
        onEvent?(.candidate(candidate))
    }

    fileprivate func gathered() {
        isGathered = true
        onEvent?(.gathered)
    }

    fileprivate func changed(to state: State) {
        guard state != self.state else { return }
        self.state = state
        onEvent?(.stateChanged(state))
    }

    fileprivate func selected(_ path: Path) {
        self.path = path
        onEvent?(.pathSelected(path))
    }

    fileprivate func received(_ bytes: UnsafeMutableRawBufferPointer) {
        onDatagram?(bytes)
    }

    private static func make(
        _ loop: NetworkLoop, _ configuration: ICEConfiguration, _ isControlling: Bool
    ) -> (OpaquePointer, ICECredentials)? {
        var options = ccb_ice_options()
        options.is_controlling = isControlling ? 1 : 0
        options.uses_udp = configuration.usesUDP ? 1 : 0
        options.uses_tcp = configuration.usesTCP ? 1 : 0
        options.uses_relay_only = configuration.usesRelayOnly ? 1 : 0
        options.minimum_port = Int32(configuration.ports?.lowerBound ?? 0)
        options.maximum_port = Int32(configuration.ports?.upperBound ?? 0)
        var events = ccb_ice_events(
            candidate: iceCandidate, gathered: iceGathered, state: iceState, selected: iceSelected,
            received: iceReceived)
        let stun = configuration.servers.first { $0.kind == .stun }
        options.stun_port = Int32(stun?.port ?? 0)
        let ice =
            if let stun {
                stun.host.withCString { host in
                    options.stun_server = host
                    return ccb_ice_new(loop.context, &options, &events)
                }
            } else {
                ccb_ice_new(loop.context, &options, &events)
            }
        guard let ice else { return nil }
        // RFC 8839 §5.4: both are at most 256 characters.
        var user = [CChar](repeating: 0, count: 257)
        var password = [CChar](repeating: 0, count: 257)
        guard ccb_ice_local_credentials(ice, &user, user.count, &password, password.count) == 0 else {
            ccb_ice_free(ice)
            return nil
        }
        return (ice, ICECredentials(ufrag: text(of: user), pwd: text(of: password)))
    }

    private static func text(of characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
}

private func agent(_ context: UnsafeMutableRawPointer?) -> ICEAgent? {
    context.map { Unmanaged<ICEAgent>.fromOpaque($0).takeUnretainedValue() }
}

private func iceCandidate(_ context: UnsafeMutableRawPointer?, _ candidate: UnsafePointer<CChar>?) {
    guard let agent = agent(context), let candidate else { return }
    agent.found(String(cString: candidate))
}

private func iceGathered(_ context: UnsafeMutableRawPointer?) {
    agent(context)?.gathered()
}

private func iceState(_ context: UnsafeMutableRawPointer?, _ state: Int32) {
    switch UInt32(state) {
    case CCB_ICE_CONNECTING.rawValue: agent(context)?.changed(to: .connecting)
    case CCB_ICE_CONNECTED.rawValue: agent(context)?.changed(to: .connected)
    case CCB_ICE_FAILED.rawValue: agent(context)?.changed(to: .failed)
    default: break
    }
}

private func iceSelected(
    _ context: UnsafeMutableRawPointer?, _ local: UnsafePointer<CChar>?, _ remote: UnsafePointer<CChar>?,
    _ transport: UnsafePointer<CChar>?
) {
    guard let agent = agent(context), let local, let remote, let transport else { return }
    agent.selected(
        ICEAgent.Path(
            local: String(cString: local), remote: String(cString: remote), transport: String(cString: transport)))
}

private func iceReceived(
    _ context: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) {
    guard let agent = agent(context), let bytes, count > 0 else { return }
    agent.received(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
}
