import Devices
import MediaEngine
import MediaTypes
import PeerConnection
import Realtime
import Synchronization

@testable import Endpoint

/// Two media routers with simulated devices whose signals go to each other as a room would carry them.
// @unchecked: routers and flags are touched on the loop only, the log is locked.
final class RouterPair: @unchecked Sendable {
    static let names = ["door", "desk"]

    let loop: NetworkLoop
    private var routers: [String: MediaRouter] = [:]
    private var engines: [MediaEngine] = []
    private let certificates: [String: DTLSCertificate]
    private let log = Mutex<[String]>([])
    /// Signals of these are lost.
    private var mute: Set<String> = []

    /// Makes both, not yet connected.
    init() async throws {
        loop = try NetworkLoop()
        certificates = ["door": try DTLSCertificate(), "desk": try DTLSCertificate()]
        for name in RouterPair.names { try await makeRouter(name) }
    }

    func close() async {
        await loop.call { [self] in
            for router in routers.values { router.stop() }
            routers = [:]
        }
        loop.stopAndJoin()
        for engine in engines { engine.stop() }
    }

    /// Puts another process in place of `name`, or the first one.
    func makeRouter(_ name: String, newCertificate: Bool = false) async throws {
        var settings = MediaEngineSettings()
        settings.microphone = DeviceSpecifier("tone:440")
        settings.speaker = DeviceSpecifier("discard")
        settings.cameras = [DeviceSpecifier("test-pattern")]
        settings.display = DeviceSpecifier("discard")
        settings.videoSize = PictureSize(width: 160, height: 120)
        settings.framesPerSecond = 10
        let engine = try MediaEngine(settings: settings, registry: DeviceRegistry())
        try engine.start()
        engines.append(engine)
        // Every name has one: see init.
        let certificate = newCertificate ? try DTLSCertificate() : certificates[name]!
        var peer = PeerConnectionConfiguration(certificate: certificate, isPolite: false)
        peer.ice.interfaces.fixedAddresses = ["127.0.0.1"]
        peer.cname = name
        let routerSettings = MediaRouter.Settings(
            peer: peer, streamID: "\(name)-main", minimumBitrate: .kilobitsPerSecond(60),
            maximumBitrate: .kilobitsPerSecond(1_000))
        await loop.call { [self] in
            let router = MediaRouter(loop: loop, engine: engine, settings: routerSettings) { [weak self] event in
                self?.handle(event, of: name)
            }
            let old = routers.updateValue(router, forKey: name)
            // The old process vanished without a word.
            mute.insert("\(name) closing")
            old?.stop()
            router.start()
        }
    }

    static func other(_ name: String) -> String { name == "door" ? "desk" : "door" }

    /// What the room tells both when `newcomer` joins.
    func join(newcomer: String) async {
        await loop.call { [self] in
            for name in [RouterPair.other(newcomer), newcomer] {
                let id = RouterPair.other(name)
                routers[name]?.open(id, isPolite: name < id, startsOffer: name == newcomer)
            }
        }
    }

    func on(_ name: String, _ work: @escaping @Sendable (MediaRouter) -> Void) async {
        await loop.call { [self] in
            if let router = routers[name] { work(router) }
        }
    }

    func muteSignals(of name: String, _ isMuted: Bool) async {
        await loop.call { [self] in
            if isMuted { mute.insert(name) } else { mute.remove(name) }
        }
    }

    func status(of name: String) async -> ConnectionStatus? {
        await loop.call { [self] in routers[name]?.statuses.first } ?? nil
    }

    /// How often connections were made at `name`.
    func connectionCount(_ name: String) async -> Int {
        await loop.call { [self] in routers[name]?.peers[RouterPair.other(name)]?.connectionNumber ?? 0 } ?? 0
    }

    /// Seconds of sound and pictures that came and were played.
    func played(_ name: String) async -> (sound: Double, pictures: Int) {
        let status = await status(of: name)
        let audio = status?.audio
        return ((audio?.playedSeconds ?? 0) - (audio?.concealedSeconds ?? 0), status?.video?.decodedCount ?? 0)
    }

    /// Whether sound and pictures come at both ends within `limit`.
    func flows(limit: Interval = .seconds(Int64(20))) async -> Bool {
        for name in RouterPair.names {
            let before = await played(name)
            guard
                await wait(
                    limit,
                    until: {
                        let now = await self.played(name)
                        // Sources may have been made anew meanwhile.
                        return now.sound > 0.3 && now.pictures > 2
                            && (now.sound > before.sound + 0.3 || now.sound < before.sound)
                            && now.pictures != before.pictures
                    })
            else { return false }
        }
        return true
    }

    func wait(_ limit: Interval, until isTrue: () async -> Bool) async -> Bool {
        let end = MonotonicClock.now() + limit
        while MonotonicClock.now() < end {
            if await isTrue() { return true }
            try? await Task.sleep(nanoseconds: 20_000_000)
        }
        return false
    }

    func lines() -> [String] { log.withLock { $0 } }

    private func handle(_ event: RouterEvent, of name: String) {
        let other = RouterPair.other(name)
        switch event {
        case .signal(_, let signal):
            let isLost = mute.contains(name)
            if case .description(let type, _) = signal { note("\(name): \(type)\(isLost ? " (lost)" : "")") }
            guard !isLost else { return }
            loop.post { [weak self] in self?.routers[other]?.receive(signal, on: name) }
        case .connectionChanged(_, let state): note("\(name): \(state)")
        case .connectionFailed(_, let reason): note("\(name): failed: \(reason)")
        case .healthChanged(_, let health): note("\(name): \(health)")
        case .rejoinWanted(let reason): note("\(name): rejoin wanted: \(reason)")
        }
    }

    private func note(_ line: String) { log.withLock { $0.append(line) } }
}
