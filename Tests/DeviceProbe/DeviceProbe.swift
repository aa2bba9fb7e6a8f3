import Devices
import Glibc
import MediaTypes
import Realtime

/// Uses devices one at a time and tells what they do, for tests on boards and in the board simulation.
///
/// ```
/// deviceprobe list
/// deviceprobe camera SPECIFIER WIDTHxHEIGHT@RATE SECONDS [PNG]      pictures, reopened when the camera fails
/// deviceprobe loop MICROPHONE SPEAKER SECONDS                       a tone from the speaker to the microphone
/// deviceprobe display SPECIFIER SECONDS [STEP_MS [PNG]]              a card of colours, or a picture, and a moving square
/// deviceprobe panel SECONDS ITEM…                                   buttons, LEDs and relays; items as in `PanelProbe`
/// ```
/// One line a second (or for each event) on standard output, and last ones that begin with `total`.
@main
struct DeviceProbe {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "list" where words.count == 1:
            list()
        case "camera" where words.count == 4 || words.count == 5:
            guard let wish = CameraWish(words[2]), let seconds = Int64(words[3]) else { usage() }
            let probe = CameraProbe(
                specifier: DeviceSpecifier(words[1]), wish: wish, picturePath: words.count == 5 ? words[4] : nil)
            probe.run(for: .seconds(seconds))
        case "loop" where words.count == 4:
            guard let seconds = Int64(words[3]) else { usage() }
            LoopProbe(microphone: DeviceSpecifier(words[1]), speaker: DeviceSpecifier(words[2]))
                .run(for: .seconds(seconds))
        case "display" where (3...5).contains(words.count):
            guard let seconds = Int64(words[2]), let step = words.count > 3 ? Int64(words[3]) : 0 else { usage() }
            DisplayProbe(
                specifier: DeviceSpecifier(words[1]), stepMilliseconds: step,
                picturePath: words.count == 5 ? words[4] : nil
            ).run(for: .seconds(seconds))
        case "panel" where words.count >= 3:
            guard let seconds = Int64(words[1]), let probe = PanelProbe(Array(words[2...])) else { usage() }
            probe.run(for: .seconds(seconds))
        default:
            usage()
        }
    }

    private static func list() {
        for device in DeviceRegistry().list() {
            ProbeText.print("\(device.kind.rawValue) \(device.specifier): \(device.summary)")
            for detail in device.details { ProbeText.print("    \(detail)") }
            if let problem = device.problem { ProbeText.print("    problem: \(problem)") }
        }
    }

    private static func usage() -> Never {
        ProbeText.print("usage: deviceprobe list | camera SPECIFIER WxH@RATE SECONDS [PNG] | loop MIC SPEAKER SECONDS")
        ProbeText.print("       deviceprobe display SPECIFIER SECONDS [STEP_MS [PNG]]")
        ProbeText.print("       deviceprobe panel SECONDS ITEM…")
        exit(2)
    }
}
