import Calls
import Configuration
import Devices
import Glibc
import MediaEngine
import MediaTypes
import Panel
import PeerConnection
import Rooms
import WebSockets

extension EndpointSettings {
    /// What the configuration means on this machine; reads the files that it names.
    package init(_ configuration: Configuration) throws(ApplianceError) {
        let id = EndpointSettings.participantID(configuration)
        let certificate: DTLSCertificate
        do throws(DTLSError) {
            certificate = try DTLSCertificate()
        } catch {
            throw .start("cannot make a DTLS certificate: \(error)")
        }
        var peer = PeerConnectionConfiguration(certificate: certificate, isPolite: false)
        peer.ice.servers = try EndpointSettings.servers(configuration.ice)
        peer.ice.usesRelayOnly = configuration.ice.usesRelayOnly
        peer.cname = id
        peer.startRate = configuration.video.startBitrate
        peer.minimumRate = configuration.video.minimumBitrate
        peer.maximumRate = configuration.video.maximumBitrate
        peer.descriptionOptions.usesDiscontinuousTransmission = configuration.audio.usesDTX
        self.init(
            participant: Participant(id: id, name: configuration.device.name ?? id), room: configuration.room.name,
            token: try EndpointSettings.token(configuration.room), streamID: "\(id)-main",
            media: EndpointSettings.media(configuration), peer: peer,
            minimumBitrate: configuration.video.minimumBitrate, maximumBitrate: configuration.video.maximumBitrate,
            core: EndpointSettings.core(configuration, id: id))
        panel = PanelSettings(configuration)
        isRoomNamed = configuration.lobby.isHosted || configuration.room.url != Configuration.Room().url
        showsNames = configuration.display.showsNames
        if configuration.lobby.isHosted {
            lobbyPage = LobbyPage(
                scheme: configuration.lobby.transport == .plain ? "http" : "https",
                address: configuration.lobby.address, port: configuration.lobby.port)
        }
        ringVolumePercent = configuration.calls.ringVolume
        ringBackVolumePercent = configuration.calls.ringBackVolume
    }

    private static func core(_ configuration: Configuration, id: ParticipantID) -> EndpointCore.Settings {
        let participant = Participant(id: id, name: configuration.device.name ?? id)
        var core = EndpointCore.Settings(participant: participant)
        switch configuration.room.mode {
        case .auto: core.mode = .auto
        case .onCall: core.mode = .onCall
        case .listen: core.mode = .listen
        }
        core.targets = configuration.calls.targets
        core.call.ringTime = .seconds(Int64(configuration.calls.ringSeconds))
        core.call.autoAnswer = Set(configuration.calls.autoAnswer)
        core.permissions = CommandTable(permissions: EndpointSettings.permissions(configuration.permissions))
        core.startsMuted = configuration.microphone.startsMuted
        core.startsCameraOff = configuration.camera.startsOff
        core.volumePercent = configuration.speaker.volume
        core.hasMicrophone = wanted(configuration.microphone.device) != nil
        core.cameraCount = configuration.camera.devices.compactMap(wanted).count
        return core
    }

    private static func permissions(_ given: Configuration.Permissions) -> [RoomCommand.Kind: Permission] {
        [
            .mute: permission(given.mute), .cameraOff: permission(given.cameraOff),
            .switchCamera: permission(given.switchCamera), .removeParticipant: permission(given.remove),
            .openRelay: permission(given.openRelay), .showText: permission(given.showText),
            .setVolume: permission(given.setVolume),
        ]
    }

    private static func permission(_ sender: Configuration.Permissions.Sender) -> Permission {
        switch sender {
        case .nobody: .nobody
        case .partner: .partner
        case .hosts: .hosts
        case .everybody: .everybody
        }
    }

    private static func media(_ configuration: Configuration) -> MediaEngineSettings {
        var media = MediaEngineSettings()
        media.microphone = wanted(configuration.microphone.device)
        media.speaker = wanted(configuration.speaker.device)
        media.cameras = configuration.camera.devices.compactMap(wanted)
        media.display = wanted(configuration.display.device).map { display in
            // A simulated screen has no size of its own.
            let hasSize = display.scheme != "snapshots" || display.text.contains(",size=")
            return hasSize ? display : DeviceSpecifier("\(display.text),size=\(configuration.display.size)")
        }
        media.preview = configuration.display.preview.place.flatMap { PreviewPlace(rawValue: $0) }
        media.videoSize = configuration.camera.size
        media.framesPerSecond = configuration.camera.framesPerSecond
        media.startBitrate = configuration.video.startBitrate
        media.audioBitrate = configuration.audio.bitrate
        media.usesFEC = configuration.audio.usesFEC
        media.usesDTX = configuration.audio.usesDTX
        return media
    }

    private static func wanted(_ device: String) -> DeviceSpecifier? {
        device == "none" ? nil : DeviceSpecifier(device)
    }

    private static func token(_ room: Configuration.Room) throws(ApplianceError) -> String? {
        if let token = room.token { return token.text }
        return try room.tokenFile.map { (path) throws(ApplianceError) in try secret(path, key: "room.token-file") }
    }

    private static func servers(_ ice: Configuration.ICE) throws(ApplianceError) -> [ICEServer] {
        var servers: [ICEServer] = []
        for server in ice.servers {
            var password = server.credential?.text ?? ""
            if let path = server.credentialFile { password = try secret(path, key: "ice.servers.credential-file") }
            for url in server.urls {
                guard let made = ICEServer(url: url, user: server.username ?? "", password: password) else {
                    throw .configuration("ice.servers.urls: '\(url)' is no address of a STUN or TURN server")
                }
                servers.append(made)
            }
        }
        return servers
    }

    private static func secret(_ path: String, key: String) throws(ApplianceError) -> String {
        do throws(FileReadError) {
            return try Secret.load(file: path).text
        } catch {
            throw .configuration("\(key): \(path): \(error.description)")
        }
    }

    /// The participant that this device is; the host's name when none is configured.
    static func participantID(_ configuration: Configuration) -> String {
        configuration.device.id ?? hostName()
    }

    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
        return bytes.isEmpty ? "callbox" : String(decoding: bytes.prefix(64), as: UTF8.self)
    }
}

extension LobbyRoomService {
    /// The lobby that the configuration names.
    package convenience init(_ room: Configuration.Room) throws(ApplianceError) {
        let trust: ServerTrust
        if let fingerprint = room.tlsFingerprint {
            trust = .pinned(fingerprint: fingerprint)
        } else if let file = room.tlsCAFile {
            trust = .authorities(file: file)
        } else {
            trust = .system
        }
        do throws(WebSocketError) {
            self.init(url: try WebSocketURL(room.url, defaultPath: "/ws"), trust: trust)
        } catch {
            throw .configuration("room.url: \(error.description)")
        }
    }
}

extension Configuration.Control {
    /// Where the control socket is: as configured, else in the service's runtime directory, else in the user's, else in
    /// `/tmp` with the user's number.
    package var path: String {
        if let socketPath { return socketPath }
        for name in ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"] {
            if let directory = getenv(name).map({ String(cString: $0) }), !directory.isEmpty {
                return "\(directory)/\(name == "RUNTIME_DIRECTORY" ? "" : "callbox-")control.sock"
            }
        }
        return getuid() == 0 ? "/run/callbox-control.sock" : "/tmp/callbox-\(getuid())-control.sock"
    }
}
