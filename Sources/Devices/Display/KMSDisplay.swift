import CDRM
import CDisplayShims
import Codecs
import Glibc
import MediaTypes
import Telemetry

/// Display `kms`: a screen at a graphics card of this machine, without any desktop.
///
/// ```
/// picture ─▶ what changed, as XRGB ─▶ back buffer ─▶ page flip at the vertical blank ─▶ screen
///                                     front buffer ◀─ event: the back buffer is the front one now
/// ```
/// - Thread: `cb-screen`. `show` waits for the end of the flip before, a sixtieth of a second as a rule.
final class KMSDisplay: DisplayDevice {
    /// A flip takes one or two periods of the screen; an event that does not come in this time never does.
    static let flipTimeoutMilliseconds: Int32 = 200
    /// After as many misses in a row the screen is given up, and opened again.
    static let maximumMissesInARow = 10
    /// The kernel tells of most changes by itself; what it does not tell is seen so late.
    static let statusPeriod = Interval.seconds(2)

    let name: String
    private(set) var size: PictureSize
    let nextPictureTime = MonotonicTime.zero
    private(set) var figures = DisplayFigures()
    private let options: KMSOptions
    private let card: KMSCard
    private let news = DisplayNews()
    private let console: KMSConsole
    private let route: KMSRoute
    private var connector: KMSConnector
    private var mode: KMSMode
    private var output: any KMSOutput
    private var buffers: [KMSBuffer] = []
    private var back = 0
    private var isModeSet = false
    private var flipNumber: UInt64 = 0
    private var isFlipPending = false
    private var missesInARow = 0
    private var statusTime = MonotonicTime.zero
    private var isClosed = false

    /// - Errors: `missing` without a card, `noScreen`, `busy` when another program shows something there,
    ///   `notPermitted`, `unsupported` for options that make no sense.
    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        options = try KMSOptions(specifier: specifier)
        (card, connector) = try KMSDisplay.find(options, name: specifier.text)
        try card.becomeMaster()
        guard let route = KMSRoute.find(card: card, connector: connector) else {
            throw .unsupported(name: specifier.text, reason: "\(card.path) has nothing left to feed \(connector.name)")
        }
        self.route = route
        console = KMSConsole(card: card, route: route)
        guard let choice = KMSMode.choose(options.mode, from: connector.modes) else {
            throw .unsupported(name: specifier.text, reason: "the screen at \(connector.name) has no mode")
        }
        mode = choice.mode
        size = mode.size
        let legacy = KMSLegacyOutput(card: card, route: route, connector: connector)
        switch options.interface {
        case .legacy: output = legacy
        case .atomic:
            guard let atomic = KMSAtomicOutput(card: card, route: route, connector: connector) else {
                throw .unsupported(name: specifier.text, reason: "driver \(card.driver) has no atomic interface")
            }
            output = atomic
        case nil: output = KMSAtomicOutput(card: card, route: route, connector: connector) ?? legacy
        }
        try begin(choice.isWanted)
    }

    func look(at time: MonotonicTime) throws(DeviceError) -> Bool {
        let isNews = news.take()
        let isTime = time >= statusTime
        if isTime { statusTime = time + KMSDisplay.statusPeriod }
        guard isNews || (isTime && KMSDirectory.isConnected(card.path, connector: connector.name) != true) else {
            return false
        }
        guard KMSDirectory.exists(card.path),
            let now = KMSConnector(descriptor: card.descriptor, id: connector.id, probes: true)
        else { throw .gone(name: name) }
        guard now.isConnected, let choice = KMSMode.choose(options.mode, from: now.modes) else {
            throw .noScreen(name: name, place: place)
        }
        let isSameMode = choice.mode.size == mode.size && choice.mode.description == mode.description
        connector = now
        mode = choice.mode
        // A link that broke is only trained again by setting the mode.
        guard !isSameMode || isLinkBad else { return false }
        waitForFlip()
        try begin(choice.isWanted)
        return true
    }

    func show(_ picture: Picture, changes: PictureRegion, at time: MonotonicTime) throws(DeviceError) {
        precondition(picture.size == size, "a picture of the display's size is shown")
        for index in buffers.indices { buffers[index].outdated.add(changes) }
        waitForFlip()
        let buffer = buffers[back]
        figures.writtenPixels += Int64(buffer.update(from: picture))
        if isModeSet {
            try flip(to: buffer)
        } else {
            try setMode(buffer)
        }
    }

    /// Puts the console back.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        waitForFlip()
        if isModeSet { console.restore(on: card) }
        buffers = []
        card.close()
    }

    deinit { close() }

    // MARK: Modes

    /// Makes the buffers for the mode; it is set with the first picture.
    private func begin(_ isWanted: Bool) throws(DeviceError) {
        if !isWanted, let wanted = options.mode {
            Log.warning("display", "the screen at \(connector.name) has no mode \(wanted); it gets \(mode)")
        }
        let former = buffers
        buffers = [try KMSBuffer(card: card, size: mode.size), try KMSBuffer(card: card, size: mode.size)]
        back = 0
        isModeSet = false
        missesInARow = 0
        size = mode.size
        // What is on show may go only when something else is.
        retired = former
    }

    /// Buffers of a former mode, until the new one is set.
    private var retired: [KMSBuffer] = []

    private func setMode(_ buffer: KMSBuffer) throws(DeviceError) {
        var code = output.set(connector.rawModes[mode.index], framebuffer: buffer.framebuffer)
        if code != 0, output.interface == .atomic, options.interface == nil, code != -EACCES {
            Log.warning("display", "the atomic interface of \(card.driver) fails: \(DeviceError.text(ofCode: -code))")
            output = KMSLegacyOutput(card: card, route: route, connector: connector)
            code = output.set(connector.rawModes[mode.index], framebuffer: buffer.framebuffer)
        }
        guard code == 0 else { throw card.error("set the mode \(mode)", code: -code) }
        isModeSet = true
        retired = []
        back = 1 - back
        figures.pictureCount += 1
        figures.mode = "\(mode) on \(place) by the \(output.interface.rawValue) interface"
        Log.notice("display", figures.mode)
    }

    private var place: String { "\(connector.name) of \(card.path) (\(card.driver))" }

    private var isLinkBad: Bool {
        KMSProperties(card: card, object: connector.id, kind: UInt32(DRM_MODE_OBJECT_CONNECTOR)).value("link-status")
            == 1
    }

    // MARK: Page flips

    private func flip(to buffer: KMSBuffer) throws(DeviceError) {
        flipNumber += 1
        let code = output.flip(to: buffer.framebuffer, number: flipNumber)
        switch -code {
        case 0:
            isFlipPending = true
            back = 1 - back
            figures.pictureCount += 1
        case EBUSY:
            // A flip whose event was lost is not done yet: this picture comes with the next one.
            try miss()
        default:
            throw card.error("flip", code: -code)
        }
    }

    private func waitForFlip() {
        guard isFlipPending else { return }
        isFlipPending = false
        if ccb_drm_wait_flip(card.descriptor, flipNumber, KMSDisplay.flipTimeoutMilliseconds) == 1 {
            missesInARow = 0
        } else {
            figures.missedCount += 1
            missesInARow += 1
        }
    }

    private func miss() throws(DeviceError) {
        figures.missedCount += 1
        missesInARow += 1
        guard missesInARow < KMSDisplay.maximumMissesInARow else { throw .stalled(name: name) }
    }

    // MARK: Finding the screen

    /// The first card of those meant that has a screen.
    private static func find(
        _ options: KMSOptions, name: String
    ) throws(DeviceError) -> (KMSCard, KMSConnector) {
        var problem = DeviceError.missing(name: name)
        for node in try KMSDirectory.candidates(options, name: name) {
            let place = options.connector.map { "\($0) of \(node)" } ?? node
            // Asking the screens themselves takes time, and is left out where the kernel knows that there is none.
            guard KMSDirectory.mayHaveScreen(node, connector: options.connector) else {
                problem = .noScreen(name: name, place: place)
                continue
            }
            do throws(DeviceError) {
                let card = try KMSCard(path: node, name: name)
                guard KMSDirectory.isMeant(card, options), card.canShow else { continue }
                let connectors = KMSConnector.all(descriptor: card.descriptor, probes: true)
                let meant = connectors.filter { options.connector == nil || $0.name == options.connector }
                if let found = meant.first(where: { $0.isConnected && !$0.modes.isEmpty }) { return (card, found) }
                if meant.isEmpty, let wanted = options.connector {
                    let names = connectors.map(\.name).joined(separator: ", ")
                    problem = .unsupported(
                        name: name, reason: "\(node) has no connector \(wanted); it has \(names)")
                } else {
                    problem = .noScreen(name: name, place: place)
                }
            } catch {
                problem = error
            }
        }
        throw problem
    }
}
