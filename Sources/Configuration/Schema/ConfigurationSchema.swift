import MediaTypes

/// The one table of every key: its name, what it may hold, where the value goes, and what it is for.
///
/// A key stands here only when the endpoint acts on it.
package enum ConfigurationSchema {
    /// What documents say of every key, in the order of the table.
    package static var rows: [SchemaRow] { root.rows("", Configuration()) }

    /// The full name of a key that somebody put into a wrong group.
    static func path(ofKey name: String) -> String? {
        rows.map(\.path).first { path in !path.contains("[]") && path.hasSuffix(".\(name)") }
    }

    static let root = SchemaSection<Configuration>(
        [
            .optional(
                "board", .board, \.board.name, "The kind of board: its profile is included; what stands here wins."),
            .section("device", device, \.device, "Who this endpoint is."),
            .section("room", room, \.room, "The room that is joined at start."),
            .section("lobby", lobby, \.lobby, "The embedded room, where this endpoint serves one."),
            .section("camera", camera, \.camera, "Where the published video comes from."),
            .section("microphone", microphone, \.microphone, "Where the published audio comes from."),
            .section("speaker", speaker, \.speaker, "Where the room is heard."),
            .section("display", display, \.display, "Where the room is seen."),
            .section("video", video, \.video, "Limits of the published video."),
            .section("audio", audio, \.audio, "How the published audio is coded."),
            .section("ice", ice, \.ice, "How connections find their way through networks."),
            .section("calls", calls, \.calls, "Ringing and answering."),
            .section("permissions", permissions, \.permissions, "Whose commands this endpoint carries out."),
            .section("gpio", gpio, \.gpio, "Where buttons, LEDs and relays are, when they do not say it themselves."),
            .sections("buttons", maximumCount: 32, button, empty: Configuration.Button(), \.buttons, "The buttons."),
            .sections("leds", maximumCount: 32, led, empty: Configuration.LED(), \.leds, "The LEDs."),
            .sections("relays", maximumCount: 8, relay, empty: Configuration.Relay(), \.relays, "The relays."),
            .section("control", control, \.control, "How the other commands reach the endpoint."),
            .section("log", log, \.log, "What is written to the log."),
        ],
        check: checkPanel)

    private static let device = SchemaSection<Configuration.Device>([
        .optional("id", .identifier, \.id, "The participant's id, unique in the room; by default the host name."),
        .optional("name", .displayName, \.name, "The name that people see; by default the id."),
    ])

    private static let room = SchemaSection<Configuration.Room>(
        [
            .value("name", .displayName, \.name, "The room's name."),
            .value(
                "mode", .choice(Configuration.Room.Mode.self), \.mode,
                "When to publish: always, while a call is up, or after a host accepted a request to speak."),
            .value("service", .choice(Configuration.Room.Service.self), \.service, "The kind of room service."),
            .value("url", .webSocketURL, \.url, "Where the room service is."),
            .optional("token", .secret, \.token, "The token to join with; better kept in its own file."),
            .optional("token-file", .path("the path of a file with a token"), \.tokenFile, "A file with the token."),
            .optional(
                "tls-ca-file", .path("the path of a PEM file"), \.tlsCAFile,
                "Certificates to trust instead of the system's."),
            .optional(
                "tls-fingerprint", .fingerprint, \.tlsFingerprint,
                "The only certificate to trust, as a lobby with its own certificate prints it."),
        ],
        check: { room, given, problems in
            given.exclude("token", "token-file", &problems)
            given.exclude("tls-ca-file", "tls-fingerprint", &problems)
            for name in ["tls-ca-file", "tls-fingerprint"]
            where given.has(name) && given.isUsable("url") && !room.url.hasPrefix("wss:") {
                given.report(name, "the url does not use TLS", allowed: "with a wss: url", &problems)
            }
        })

    private static let lobby = SchemaSection<Configuration.Lobby>([
        .value("host", .boolean, \.isHosted, "Whether this endpoint serves the lobby."),
        .value("address", .address, \.address, "The address to listen on; `::` and `0.0.0.0` are all of them."),
        .value("port", .integer(1...65_535), \.port, "The TCP port to listen on."),
        .optional(
            "key-file", .path("the path of a file with `name: secret` lines"), \.keyFile,
            "The keys that tokens are made with; without it only this machine gets in."),
        .section("tls", lobbyTLS, \.tls, "HTTPS and WSS."),
        .value("maximum-participants", .integer(2...6), \.maximumParticipants, "Participants in one room."),
    ])

    private static let lobbyTLS = SchemaSection<Configuration.Lobby.TLS>(
        [
            .optional("certificate-file", .path("the path of a PEM file"), \.certificateFile, "Certificate and chain."),
            .optional("key-file", .path("the path of a PEM file"), \.keyFile, "The certificate's private key."),
            .value("self-signed", .boolean, \.isSelfSigned, "Make a certificate, and print its fingerprint."),
        ],
        check: { tls, given, problems in
            given.require("key-file", with: "certificate-file", &problems)
            given.require("certificate-file", with: "key-file", &problems)
            if tls.isSelfSigned { given.exclude("self-signed", "certificate-file", &problems) }
        })

    private static let camera = SchemaSection<Configuration.Camera>(
        [
            .single("device", .device, \.devices, "The camera."),
            .list("devices", .device, count: 1...8, \.devices, "The cameras, best first: one that opens is used."),
            .value("off-at-start", .boolean, \.startsOff, "Whether the camera is off until somebody turns it on."),
            .value("width", .integer(64...1_920, isEven: true), \.width, "Width of the published picture in pixels."),
            .value("height", .integer(64...1_080, isEven: true), \.height, "Height of the published picture."),
            .value("frames-per-second", .integer(1...60), \.framesPerSecond, "Pictures a second."),
        ],
        check: { _, given, problems in given.exclude("device", "devices", &problems) })

    private static let microphone = SchemaSection<Configuration.Microphone>([
        .value("device", .device, \.device, "The microphone; `default`: a USB card's, else ALSA's default."),
        .value(
            "muted-at-start", .boolean, \.startsMuted, "Whether the microphone is muted at first, for push to talk."),
    ])

    private static let speaker = SchemaSection<Configuration.Speaker>([
        .value("device", .device, \.device, "The speaker; `default`: a USB card's, else ALSA's default."),
        .value("volume", .integer(0...100), \.volume, "Loudness of what others say, in percent."),
    ])

    private static let display = SchemaSection<Configuration.Display>([
        .value("device", .device, \.device, "The display; `none` for an endpoint without a screen."),
        .value(
            "width", .integer(64...3_840, isEven: true), \.width,
            "Width of the shown picture in pixels; `kms` has its mode."),
        .value("height", .integer(64...2_160, isEven: true), \.height, "Height of the shown picture."),
        .value(
            "preview", .choice(Configuration.Display.Preview.self), \.preview,
            "Whether, or in which corner, one's own picture is shown while the camera is open."),
        .value(
            "names", .boolean, \.showsNames, "Whether names, and marks for what is muted, stand in the pictures."),
    ])

    private static let video = SchemaSection<Configuration.Video>(
        [
            .value("maximum-bitrate", .bitrate(videoRates), \.maximumBitrate, "Never more than this."),
            .value("minimum-bitrate", .bitrate(videoRates), \.minimumBitrate, "Never less, however bad the network."),
            .value("start-bitrate", .bitrate(videoRates), \.startBitrate, "Until the network is known."),
        ],
        check: { video, given, problems in
            guard ["maximum-bitrate", "minimum-bitrate", "start-bitrate"].allSatisfy(given.isUsable) else { return }
            let maximum = BitrateText.spell(video.maximumBitrate)
            let minimum = BitrateText.spell(video.minimumBitrate)
            if video.minimumBitrate > video.maximumBitrate {
                let name = given.has("minimum-bitrate") ? "minimum-bitrate" : "maximum-bitrate"
                given.report(
                    name, "the minimum of \(minimum) is above the maximum of \(maximum)",
                    allowed: "minimum-bitrate up to maximum-bitrate", &problems)
            } else if given.has("start-bitrate"),
                !(video.minimumBitrate...video.maximumBitrate).contains(video.startBitrate)
            {
                given.report(
                    "start-bitrate", "\(BitrateText.spell(video.startBitrate)) is outside the limits",
                    allowed: "\(minimum) to \(maximum)", &problems)
            }
        })

    private static let videoRates =
        Bitrate.kilobitsPerSecond(30)...Bitrate.kilobitsPerSecond(20_000)

    private static let audio = SchemaSection<Configuration.Audio>([
        .value(
            "bitrate", .bitrate(Bitrate.kilobitsPerSecond(6)...Bitrate.kilobitsPerSecond(128)), \.bitrate,
            "Rate of the published audio."),
        .value("fec", .boolean, \.usesFEC, "Carry a copy of each packet in the next one."),
        .value("dtx", .boolean, \.usesDTX, "Send next to nothing in silence."),
    ])

    private static let ice = SchemaSection<Configuration.ICE>(
        [
            .sections(
                "servers", maximumCount: 8, iceServer, empty: Configuration.ICE.Server(), \.servers,
                "STUN and TURN servers."),
            .value("relay-only", .boolean, \.usesRelayOnly, "Use nothing but TURN servers."),
        ],
        check: { ice, given, problems in
            let relays = ice.servers.contains { server in server.endpoints.contains { $0.kind != .stun } }
            guard ice.usesRelayOnly, !relays, given.isUsable("servers") else { return }
            given.report("relay-only", "there is no TURN server", allowed: "with a turn: url in servers", &problems)
        })

    private static let iceServer = SchemaSection<Configuration.ICE.Server>(
        [
            .list("urls", .iceURL, count: 1...8, allowsSingle: true, \.urls, "The server's addresses."),
            .optional("username", .displayName, \.username, "For TURN."),
            .optional("credential", .secret, \.credential, "For TURN; better kept in its own file."),
            .optional(
                "credential-file", .path("the path of a file with a credential"), \.credentialFile,
                "A file with the credential."),
        ],
        check: { server, given, problems in
            given.exclude("credential", "credential-file", &problems)
            guard given.has("urls") else {
                given.report("urls", "the key is missing", allowed: "one or more urls", &problems)
                return
            }
            let needsUser = server.endpoints.contains { $0.kind != .stun }
            let hasCredential = given.has("credential") || given.has("credential-file")
            if needsUser, !given.has("username") || !hasCredential {
                given.report(
                    "urls", "a TURN server needs a username and a credential",
                    allowed: "turn: urls with username and credential or credential-file", &problems)
            }
        })

    private static let calls = SchemaSection<Configuration.Calls>([
        .list(
            "targets", .identifier, count: 0...8, allowsSingle: true, \.targets,
            "Whom the call button rings, all at once; nobody named is everybody in the room."),
        .value("ring-seconds", .integer(3...300), \.ringSeconds, "How long a call rings."),
        .list(
            "auto-answer", .identifier, count: 0...32, allowsSingle: true, \.autoAnswer,
            "Whose calls are answered at once."),
        .value("ring-volume", .integer(0...100), \.ringVolume, "Loudness of the ring tone, in percent."),
        .value("ringback-volume", .integer(0...100), \.ringBackVolume, "Loudness of the tone while calling."),
    ])

    private static let permissions = SchemaSection<Configuration.Permissions>([
        .value("mute", permission, \.mute, "Mute this endpoint's microphone."),
        .value("camera-off", permission, \.cameraOff, "Turn its camera off."),
        .value("switch-camera", permission, \.switchCamera, "Switch its camera."),
        .value("remove", permission, \.remove, "Make it leave the room."),
        .value("open-relay", permission, \.openRelay, "Open a relay: the door."),
        .value("show-text", permission, \.showText, "Show a text on its screen."),
        .value("set-volume", permission, \.setVolume, "Set its volume."),
    ])

    private static let permission = SchemaValue.choice(Configuration.Permissions.Sender.self)

    private static let control = SchemaSection<Configuration.Control>([
        // The length of `sun_path` without its NUL.
        .optional(
            "socket", .path("the path of a Unix socket, at most 107 bytes", maximumBytes: 107), \.socketPath,
            "The socket that `callbox status` asks; by default in the service's runtime folder.")
    ])

    private static let log = SchemaSection<Configuration.Log>([
        .value("level", .choice(Configuration.Log.Level.self), \.level, "The least important lines still written.")
    ])
}
