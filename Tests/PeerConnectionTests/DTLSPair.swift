import MediaTypes
import SDP

@testable import PeerConnection

/// Two DTLS transports that hand each other datagrams in memory and in virtual time.
final class DTLSPair {
    private(set) var client: DTLSTransport
    private(set) var server: DTLSTransport
    private var toClient: [[UInt8]] = []
    private var toServer: [[UInt8]] = []
    private(set) var atClient: [[UInt8]] = []
    private(set) var atServer: [[UInt8]] = []
    private(set) var largestDatagram = 0
    private(set) var datagramCount = 0
    /// Datagrams by their number that get lost.
    var lost: Set<Int> = []
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)

    init(
        clientProfiles: [SRTPProfile] = SRTPProfile.preferred, serverProfiles: [SRTPProfile] = SRTPProfile.preferred,
        announcedToClient: [Fingerprint]? = nil, announcedToServer: [Fingerprint]? = nil
    ) throws {
        let clientCertificate = try DTLSCertificate()
        let serverCertificate = try DTLSCertificate()
        let box = Box()
        client = try DTLSTransport(
            certificate: clientCertificate, role: .client,
            fingerprints: announcedToClient ?? [serverCertificate.fingerprint], profiles: clientProfiles,
            send: { box.pair?.carry(Array($0), toServer: true) }, deliver: { box.pair?.atClient.append(Array($0)) })
        server = try DTLSTransport(
            certificate: serverCertificate, role: .server,
            fingerprints: announcedToServer ?? [clientCertificate.fingerprint], profiles: serverProfiles,
            send: { box.pair?.carry(Array($0), toServer: false) }, deliver: { box.pair?.atServer.append(Array($0)) })
        box.pair = self
    }

    private final class Box {
        weak var pair: DTLSPair?
    }

    func start() {
        server.start(at: now)
        client.start(at: now)
        exchange()
    }

    /// Delivers until nothing is under way.
    func exchange() {
        while !toClient.isEmpty || !toServer.isEmpty {
            let forServer = toServer
            let forClient = toClient
            toServer = []
            toClient = []
            for datagram in forServer { datagram.withUnsafeBytes { server.receive($0, at: now) } }
            for datagram in forClient { datagram.withUnsafeBytes { client.receive($0, at: now) } }
        }
    }

    /// Lets the time pass until the handshake is done or nobody waits any more.
    func runUntilSettled() {
        for _ in 0..<60 {
            exchange()
            if client.state != .handshaking && server.state != .handshaking { return }
            let next = min(client.nextDeadline, server.nextDeadline)
            if next == .distantFuture { return }
            waitForRetransmission()
        }
    }

    /// OpenSSL reads the machine's clock for its retransmissions; the tests wait for real.
    private func waitForRetransmission() {
        let next = min(client.nextDeadline, server.nextDeadline)
        let wait = next - now
        if wait > .zero { RealTime.sleep(wait + .milliseconds(2)) }
        now = next + .milliseconds(2)
        client.advance(to: now)
        server.advance(to: now)
    }

    private func carry(_ datagram: [UInt8], toServer isForServer: Bool) {
        datagramCount += 1
        largestDatagram = max(largestDatagram, datagram.count)
        if lost.contains(datagramCount) { return }
        if isForServer { toServer.append(datagram) } else { toClient.append(datagram) }
    }
}
