// swift-tools-version:6.0
import Glibc
import PackageDescription

/// One module of the project: its name, the modules it may import, and whether it has a test target.
///
/// The order of the list is the dependency order: a module imports only what stands above it.
struct Module {
    enum Kind { case swift, executable, c, system }
    var name: String
    var kind: Kind = .swift
    var imports: [String] = []
    var isTested = true
    /// What only its tests import besides.
    var testImports: [String] = []
    /// Libraries to link that have no pkg-config file, or the pkg-config name of a system module.
    var library: String?
    var debianPackage: String?
    /// Files in its folder that are not compiled.
    var exclude: [String] = []
    /// Where it lies if not in Sources/NAME.
    var path: String?
}

var modules: [Module] = [
    // C libraries of Debian, as they are.
    Module(name: "CALSA", kind: .system, library: "alsa", debianPackage: "libasound2-dev"),
    Module(name: "COpus", kind: .system, library: "opus", debianPackage: "libopus-dev"),
    Module(name: "CVPX", kind: .system, library: "vpx", debianPackage: "libvpx-dev"),
    Module(name: "CYUV", kind: .system, debianPackage: "libyuv-dev"),
    Module(name: "CSampleRate", kind: .system, library: "samplerate", debianPackage: "libsamplerate0-dev"),
    Module(name: "CPNG", kind: .system, library: "libpng", debianPackage: "libpng-dev"),
    Module(name: "CFreeType", kind: .system, library: "freetype2", debianPackage: "libfreetype-dev"),
    Module(name: "CYAML", kind: .system, library: "yaml-0.1", debianPackage: "libyaml-dev"),
    Module(name: "CJansson", kind: .system, library: "jansson", debianPackage: "libjansson-dev"),
    Module(name: "CV4L", kind: .system, library: "libv4l2", debianPackage: "libv4l-dev"),
    Module(name: "CGPIOD", kind: .system, library: "libgpiod", debianPackage: "libgpiod-dev"),
    Module(name: "CDRM", kind: .system, library: "libdrm", debianPackage: "libdrm-dev"),
    Module(name: "CNice", kind: .system, library: "nice", debianPackage: "libnice-dev"),
    Module(name: "COpenSSL", kind: .system, library: "openssl", debianPackage: "libssl-dev"),
    Module(name: "CSRTP", kind: .system, library: "libsrtp2", debianPackage: "libsrtp2-dev"),
    Module(name: "CUSRSCTP", kind: .system, library: "usrsctp", debianPackage: "libusrsctp-dev"),
    Module(name: "CWebSockets", kind: .system, library: "libwebsockets", debianPackage: "libwebsockets-dev"),
    // What Swift cannot see of them (macros, variadics), prefix ccb_.
    Module(name: "CLinuxShims", kind: .c),
    Module(name: "CCodecShims", kind: .c, imports: ["COpus", "CVPX"]),
    Module(name: "CDeviceShims", kind: .c, imports: ["CALSA", "CV4L"]),
    Module(name: "CLineShims", kind: .c, imports: ["CGPIOD"]),
    Module(name: "CDisplayShims", kind: .c, imports: ["CDRM"]),
    Module(name: "CNetworkShims", kind: .c, imports: ["CNice", "COpenSSL", "CSRTP", "CUSRSCTP"]),
    Module(name: "CWebSocketShims", kind: .c, imports: ["CWebSockets", "COpenSSL"]),
    // Pure: no C, no clock, no randomness, no Foundation.
    Module(name: "MediaTypes"),
    Module(name: "RTPWire", imports: ["MediaTypes"]),
    Module(name: "MediaTransport", imports: ["MediaTypes", "RTPWire"], testImports: ["Realtime"]),
    Module(name: "SDP", imports: ["MediaTypes"]),
    Module(name: "Calls", imports: ["MediaTypes"], exclude: ["CALLS.md"]),
    // The machine below.
    Module(name: "Realtime", imports: ["CLinuxShims", "MediaTypes"]),
    Module(name: "Telemetry", imports: ["CLinuxShims", "MediaTypes", "Realtime"]),
    Module(name: "JSONText", imports: ["CJansson"]),
    Module(
        name: "Codecs",
        imports: ["CCodecShims", "COpus", "CVPX", "CYUV", "CSampleRate", "CPNG", "CFreeType", "MediaTypes"],
        testImports: ["Realtime"]),
    Module(
        name: "Devices",
        imports: [
            "CALSA", "CV4L", "CDeviceShims", "CGPIOD", "CLineShims", "CDRM", "CDisplayShims", "CLinuxShims", "Codecs",
            "MediaTypes", "Realtime", "Telemetry",
        ]),
    Module(name: "Panel", imports: ["Calls", "Devices", "MediaTypes", "Realtime", "Telemetry"]),
    Module(
        name: "PeerConnection",
        imports: [
            "CNice", "COpenSSL", "CSRTP", "CUSRSCTP", "CNetworkShims", "CLinuxShims", "MediaTypes", "MediaTransport",
            "RTPWire", "SDP", "Realtime", "Telemetry",
        ]),
    Module(
        name: "WebSockets",
        imports: ["CWebSockets", "CWebSocketShims", "COpenSSL", "MediaTypes", "Realtime", "Telemetry"]),
    Module(name: "Configuration", imports: ["CYAML", "Calls", "MediaTypes"]),
    Module(name: "LobbyProtocol", imports: ["JSONText"], exclude: ["PROTOCOL.md"]),
    Module(
        name: "Lobby",
        imports: ["COpenSSL", "JSONText", "LobbyProtocol", "MediaTypes", "Realtime", "Telemetry", "WebSockets"],
        exclude: ["Page"]),
    Module(
        name: "Rooms",
        imports: ["JSONText", "LobbyProtocol", "Calls", "MediaTypes", "Realtime", "Telemetry", "WebSockets"],
        testImports: ["Lobby"]),
    Module(
        name: "MediaEngine",
        imports: [
            "Codecs", "Devices", "MediaTransport", "MediaTypes", "RTPWire", "Realtime", "Telemetry", "CLinuxShims",
        ]),
    Module(
        name: "Endpoint",
        imports: [
            "Calls", "Codecs", "Configuration", "Devices", "JSONText", "Lobby", "MediaEngine", "MediaTransport",
            "MediaTypes", "Panel", "PeerConnection", "RTPWire", "Realtime", "Rooms", "SDP", "Telemetry", "WebSockets",
            "CLinuxShims",
        ]),
    Module(
        name: "callbox", kind: .executable,
        imports: [
            "Configuration", "Devices", "Endpoint", "JSONText", "Lobby", "MediaTypes", "Panel", "Realtime", "Telemetry",
        ],
        isTested: false),
    // Uses one device at a time, for tests on boards and in the board simulation; never part of a release.
    Module(
        name: "deviceprobe", kind: .executable,
        imports: ["Calls", "Codecs", "Devices", "MediaTypes", "Panel", "Realtime"],
        isTested: false, path: "Tests/DeviceProbe"),
    // Drives a PeerConnection for the tests against other stacks; never part of a release.
    Module(
        name: "peerprobe", kind: .executable,
        imports: [
            "Codecs", "Devices", "JSONText", "MediaTransport", "MediaTypes", "PeerConnection", "Realtime", "SDP",
            "Telemetry",
        ],
        isTested: false, path: "Tests/PeerProbe"),
]

/// The names of headers and library in both generations of webrtc-audio-processing; the shim has one source for both.
let audioProcessingGenerations: [(headers: String, library: String)] = [
    ("/usr/include/webrtc-audio-processing-1", "webrtc-audio-processing-1"),
    ("/usr/include/webrtc_audio_processing", "webrtc_audio_processing"),
]
/// The one that this Debian has; nil where none is installed, then its module is not there.
let audioProcessing = audioProcessingGenerations.first { access($0.headers, F_OK) == 0 }
if audioProcessing != nil { modules.append(Module(name: "CAudioProcessingShims", kind: .c)) }
// Its pkg-config files have flags that the package manager does not take.
let audioProcessingSettings: [CXXSetting] =
    [.define("WEBRTC_POSIX"), .define("WEBRTC_LINUX"), .define("WEBRTC_AUDIO_PROCESSING_ONLY_BUILD")]
    + (audioProcessing.map { [.unsafeFlags(["-I\($0.headers)"])] } ?? [])
let audioProcessingLibraries: [LinkerSetting] =
    (audioProcessing.map { [.linkedLibrary($0.library)] } ?? []) + [.linkedLibrary("stdc++")]

/// `CALLBOX_MODULES=RTPWire,SDP` narrows the package to these modules with their tests and to what they import, so that
/// the pure modules build and are tested on a machine without a single -dev package.
let named: [String] = {
    guard let list = Context.environment["CALLBOX_MODULES"], !list.isEmpty else { return modules.map(\.name) }
    return list.split(separator: ",").map(String.init)
}()
let chosen: Set<String> = {
    var names = Set<String>()
    var pending = named
    while let name = pending.popLast() {
        guard names.insert(name).inserted else { continue }
        guard let module = modules.first(where: { $0.name == name }) else { fatalError("no module \(name)") }
        pending += module.imports + module.testImports
    }
    return names
}()

/// The malloc counter of the allocation gates: in debug builds, or anywhere by `CALLBOX_COUNT_ALLOCATIONS=1`.
let allocationCounting: CSetting =
    Context.environment["CALLBOX_COUNT_ALLOCATIONS"] == "1"
    ? .define("CCB_COUNT_ALLOCATIONS") : .define("CCB_COUNT_ALLOCATIONS", .when(configuration: .debug))

let swiftSettings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny")]
var targets: [Target] = []
for module in modules where chosen.contains(module.name) {
    let dependencies = module.imports.map { Target.Dependency(stringLiteral: $0) }
    switch module.kind {
    case .system:
        targets.append(
            .systemLibrary(
                name: module.name, pkgConfig: module.library,
                providers: module.debianPackage.map { [.apt([$0])] }))
    case .c:
        targets.append(
            .target(
                name: module.name, dependencies: dependencies,
                cSettings: module.name == "CLinuxShims" ? [allocationCounting] : [],
                cxxSettings: module.name == "CAudioProcessingShims" ? audioProcessingSettings : [],
                linkerSettings: module.name == "CAudioProcessingShims" ? audioProcessingLibraries : []))
    case .swift:
        targets.append(
            .target(
                name: module.name, dependencies: dependencies, exclude: module.exclude, swiftSettings: swiftSettings))
    case .executable:
        targets.append(
            .executableTarget(
                name: module.name, dependencies: dependencies, path: module.path, swiftSettings: swiftSettings))
    }
    if module.isTested && (module.kind == .swift || module.name == "CAudioProcessingShims")
        && named.contains(module.name)
    {
        // A test may also use everything its module may use.
        targets.append(
            .testTarget(
                name: "\(module.name)Tests",
                dependencies: dependencies + (module.testImports + [module.name]).map { .init(stringLiteral: $0) },
                swiftSettings: swiftSettings))
    }
}

// `CALLBOX_FUZZ=RTPPacket,SDPText` adds one libFuzzer program for each Tools/fuzz/NAME.swift; Tools/fuzz/build sets it.
let fuzzTargets = Context.environment["CALLBOX_FUZZ"]?.split(separator: ",").map(String.init) ?? []
let fuzzedModules = [
    "MediaTypes", "RTPWire", "MediaTransport", "SDP", "JSONText", "LobbyProtocol", "Configuration", "Codecs", "Devices",
    "Calls", "Rooms",
]
for name in fuzzTargets {
    targets.append(
        .executableTarget(
            name: "Fuzz\(name)",
            dependencies: fuzzedModules.filter(chosen.contains).map { .init(stringLiteral: $0) },
            path: "Tools/fuzz",
            exclude: ["build", "run"] + fuzzTargets.filter { $0 != name }.map { "\($0).swift" },
            sources: ["\(name).swift"],
            // The entry point is the fuzzer's own; the file has no main.
            swiftSettings: swiftSettings + [.unsafeFlags(["-parse-as-library"])]))
}

let package = Package(
    name: "callbox",
    products: chosen.contains("callbox") ? [.executable(name: "callbox", targets: ["callbox"])] : [],
    targets: targets,
    cxxLanguageStandard: .cxx17)
