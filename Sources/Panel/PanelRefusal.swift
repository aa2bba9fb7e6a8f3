/// Why the panel does not do what it is asked, in words for whoever asked.
package enum PanelRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case notRunning
    case noRelay
    /// Which of them is not said, and a wrong door is worse than none.
    case severalRelays([String])
    case unknownRelay(String)
    case unknownButton(String)
    case notSimulated(String)
    /// Its line is missing or busy.
    case faulty(name: String, text: String)

    package var description: String {
        switch self {
        case .notRunning: "the buttons, LEDs and relays are not in use now"
        case .noRelay: "there is no relay"
        case .severalRelays(let names): "there are several relays; name one of \(names.joined(separator: ", "))"
        case .unknownRelay(let name): "there is no relay '\(name)'"
        case .unknownButton(let name): "there is no button '\(name)'"
        case .notSimulated(let name): "'\(name)' is a real button: only one on the chip 'simulated' can be set"
        case .faulty(let name, let text): "'\(name)' cannot be used: \(text)"
        }
    }
}
