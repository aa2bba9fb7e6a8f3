import Glibc
import Testing

@testable import Devices

@Suite struct ALSANameTests {
    static let headset = ALSACard(
        index: 1, id: "Headset", name: "Jabra Headset", captureDevices: [0], playbackDevices: [3, 7])
    static let screen = ALSACard(index: 0, id: "HDMI", name: "Screen", playbackDevices: [3])
    static let locked = ALSACard(index: 2, id: "Locked", name: "Locked", problem: ALSACard.permissionHint)

    static func candidates(_ text: String, isCapture: Bool = false) throws(DeviceError) -> [String] {
        try ALSAName.candidates(for: DeviceSpecifier(text), isCapture: isCapture) { name in
            [headset, screen, locked].first { $0.id == name || $0.name == name }
        }
    }

    @Test func aCardIsOpenedAsItIsAndElseWithConversion() throws {
        for name in ["Headset", "card:Headset", "Jabra Headset"] {
            #expect(try Self.candidates(name) == ["hw:CARD=Headset,DEV=3", "plughw:CARD=Headset,DEV=3"])
            #expect(
                try Self.candidates(name, isCapture: true) == ["hw:CARD=Headset,DEV=0", "plughw:CARD=Headset,DEV=0"])
        }
    }

    @Test func otherNamesGoToALSAAsTheyAre() throws {
        for name in ["default", "hw:Headset", "plughw:CARD=Headset,DEV=1", "pulse", "plug:dmix:Headset", "a:1"] {
            #expect(try Self.candidates(name) == [name])
        }
    }

    @Test func defaultIsWhatWasPluggedInThenALSAsThenAnyOther() {
        var speakerphone = Self.headset
        speakerphone.isUSB = true
        let cards = [Self.screen, speakerphone, Self.locked]
        #expect(
            ALSAName.defaults(among: cards, isCapture: false, isConfigured: false) == [
                "hw:CARD=Headset,DEV=3", "plughw:CARD=Headset,DEV=3", "default",
                "hw:CARD=HDMI,DEV=3", "plughw:CARD=HDMI,DEV=3",
            ])
        // A screen's card comes first on a Raspberry Pi, and has no microphone.
        #expect(
            ALSAName.defaults(among: [Self.screen, Self.headset], isCapture: true, isConfigured: false) == [
                "default", "hw:CARD=Headset,DEV=0", "plughw:CARD=Headset,DEV=0",
            ])
        #expect(ALSAName.defaults(among: cards, isCapture: false, isConfigured: true).first == "default")
        #expect(ALSAName.defaults(among: [], isCapture: true, isConfigured: false) == ["default"])
    }

    @Test(arguments: ["/etc/asound.conf", "/var/a/.asoundrc", "/var/a/.config/alsa/asoundrc"])
    func aDefaultOfTheMachinesOwnerIsSeen(file: String) {
        func isConfigured(files: Set<String> = [], variables: [String: String] = [:], names: [String] = []) -> Bool {
            ALSADefault.isConfigured(environment: { variables[$0] }, exists: files.contains, names: { _ in names })
        }
        #expect(isConfigured(files: [file], variables: ["HOME": "/var/a"]))
        #expect(!isConfigured(variables: ["HOME": "/var/a"]) && !isConfigured(names: ["10-rate-lav.conf"]))
        #expect(isConfigured(names: ["50-pipewire.conf", "99-pipewire-default.conf"]))
        #expect(isConfigured(variables: ["ALSA_CONFIG_PATH": "/tmp/a"]))
    }

    @Test func numbersOfCardsAreRefused() {
        for name in ["hw:0", "plughw:1,0", "hw:CARD=2", "sysdefault:3", "card:1", "0"] {
            #expect(throws: DeviceError.self, "\(name)") { try Self.candidates(name) }
        }
    }

    @Test func aCardWithoutTheDirectionOrTheRightIsTold() {
        #expect(throws: DeviceError.unsupported(name: "HDMI", reason: "it has no microphone input")) {
            try Self.candidates("HDMI", isCapture: true)
        }
        #expect(throws: DeviceError.notPermitted(name: "Locked", hint: ALSACard.permissionHint)) {
            try Self.candidates("Locked")
        }
        #expect(throws: DeviceError.missing(name: "card:None")) { try Self.candidates("card:None") }
        #expect(throws: DeviceError.missing(name: "")) { try Self.candidates("") }
    }

    @Test func theKernelsListOfCardsIsRead() {
        let list = """
             0 [Intel          ]: HDA-Intel - HDA Intel
                                  HDA Intel at 0xfebf4000 irq 44
             1 [Headset        ]: USB-Audio - Jabra - Headset
                                  GN Jabra at usb-0000:00:14.0-1, full speed
            12 [vc4hdmi0       ]: vc4-hdmi
            """
        #expect(
            ALSACard.parse(list) == [
                ALSACard(index: 0, id: "Intel", name: "HDA Intel"),
                ALSACard(index: 1, id: "Headset", name: "Jabra - Headset", isUSB: true),
                ALSACard(index: 12, id: "vc4hdmi0", name: "vc4-hdmi"),
            ])
        #expect(ALSACard.parse("--- no soundcards ---\n") == [])
    }

    @Test func theHolderOfACardIsReadFromItsStatus() {
        let status = "state: RUNNING\nowner_pid   : 1234\ntrigger_time: 1.0\n"
        #expect(DeviceHolder.ownerProcess(inStatus: status) == 1_234)
        #expect(DeviceHolder.ownerProcess(inStatus: "closed\n") == nil)
    }

    @Test func theHolderOfAFileIsFound() {
        let folder = TemporaryFolder()
        let path = folder.write([1], as: "held")
        #expect(DeviceHolder.ofFile(path) == nil)
        let process = ChildProcess.start(["sleep", "30"], logFile: path)
        defer {
            kill(process, SIGKILL)
            ChildProcess.wait(process)
        }
        #expect(DeviceHolder.ofFile(path) == "sleep (process \(process))")
    }
}
