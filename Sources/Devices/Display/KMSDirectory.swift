import CDRM

/// Finds graphics cards, and tells from `/sys` what is plugged into them, which asks no screen.
enum KMSDirectory {
    private static let sysFolder = "/sys/class/drm"

    /// All nodes, by number.
    static func nodes() -> [String] {
        let numbers = (DirectoryListing.names(in: "/dev/dri") ?? []).compactMap { name in
            name.hasPrefix("card") ? Int(name.dropFirst(4)) : nil
        }
        return numbers.sorted().map { "/dev/dri/card\($0)" }
    }

    /// The nodes that a specifier may mean, best first.
    /// - Errors: `missing`.
    static func candidates(_ options: KMSOptions, name: String) throws(DeviceError) -> [String] {
        let all = nodes()
        guard let wanted = options.card else {
            guard !all.isEmpty else { throw .missing(name: name) }
            return all
        }
        if wanted.hasPrefix("/") {
            guard let node = DirectoryListing.resolved(wanted) else { throw .missing(name: name) }
            return [node]
        }
        // `/sys` does not always know the driver by the name that the card itself gives: then all are asked.
        let named = all.filter { $0 == "/dev/dri/\(wanted)" || isSame(driver(of: $0), wanted) }
        guard named.isEmpty else { return named }
        guard !all.isEmpty, !wanted.hasPrefix("card") || Int(wanted.dropFirst(4)) == nil else {
            throw .missing(name: name)
        }
        return all
    }

    /// Whether an open card is one that the options mean.
    static func isMeant(_ card: KMSCard, _ options: KMSOptions) -> Bool {
        guard let wanted = options.card, !wanted.hasPrefix("/") else { return true }
        return card.path == "/dev/dri/\(wanted)" || isSame(card.driver, wanted) || isSame(driver(of: card.path), wanted)
    }

    /// Whether a screen may be plugged in: false only when the kernel knows of none.
    /// - Parameter connector: nil: any.
    static func mayHaveScreen(_ node: String, connector: String?) -> Bool {
        let known = connectorNames(of: node).filter { connector == nil || $0 == connector }
        return known.isEmpty || known.contains { isConnected(node, connector: $0) != false }
    }

    /// What the kernel saw last; nil when it does not know, or there is no such connector.
    static func isConnected(_ node: String, connector: String) -> Bool? {
        switch DirectoryListing.text(of: "\(sysFolder)/\(cardName(node))-\(connector)/status")?.prefix(while: {
            $0 != "\n"
        })
        {
        case "connected": true
        case "disconnected": false
        default: nil
        }
    }

    /// Whether the card is still one of the machine's.
    static func exists(_ node: String) -> Bool {
        DirectoryListing.names(in: "\(sysFolder)/\(cardName(node))") != nil
    }

    /// The cards with their connectors, for `callbox devices`.
    static func listings() -> [DeviceListing] {
        var listings = nodes().compactMap(listing)
        // A driver's name stays when numbers change.
        for index in listings.indices where !listings[index].summary.isEmpty {
            let driver = listings[index].summary
            if listings.count(where: { $0.summary == driver }) == 1 { listings[index].specifier = "kms:card=\(driver)" }
        }
        return listings
    }

    private static func listing(of node: String) -> DeviceListing? {
        var listing = DeviceListing(kind: .display, specifier: "kms:card=\(cardName(node))", summary: driver(of: node))
        do {
            let card = try KMSCard(path: node, name: listing.specifier)
            defer { card.close() }
            // Opening may have made this program the master.
            card.dropMaster()
            guard card.canShow else { return nil }
            listing.summary = card.driver
            listing.details = ["node \(node)"]
            // Where nobody has asked the screens yet, nothing is known of them.
            let known = KMSConnector.all(descriptor: card.descriptor, probes: false)
            for connector in known {
                let probed =
                    connector.isConnected && connector.modes.isEmpty
                    ? KMSConnector(descriptor: card.descriptor, id: connector.id, probes: true) : nil
                listing.details.append(text(of: probed ?? connector))
            }
            if !known.contains(where: \.isConnected) { listing.problem = "no screen is connected" }
        } catch {
            listing.details =
                ["node \(node)"]
                + connectorNames(of: node).map {
                    "connector \($0): \(isConnected(node, connector: $0) == true ? "connected" : "no screen")"
                }
            listing.problem = error.description
        }
        return listing
    }

    private static func text(of connector: KMSConnector) -> String {
        guard connector.isConnected else { return "connector \(connector.name): no screen" }
        var modes: [String] = []
        for mode in connector.modes where !modes.contains(mode.description) { modes.append(mode.description) }
        let preferred = connector.modes.first(where: \.isPreferred).map { ", prefers \($0)" } ?? ""
        let further = modes.count > 12 ? " and \(modes.count - 12) more" : ""
        return
            "connector \(connector.name): connected\(preferred); modes \(modes.prefix(12).joined(separator: " "))\(further)"
    }

    /// The driver as `/sys` names it; empty when it does not.
    private static func driver(of node: String) -> String {
        let link = DirectoryListing.target(ofLink: "\(sysFolder)/\(cardName(node))/device/driver")
        return link?.split(separator: "/").last.map(String.init) ?? ""
    }

    /// `/sys` says `vc4-drm` where the card itself says `vc4`.
    private static func isSame(_ driver: String, _ wanted: String) -> Bool {
        func plain(_ text: String) -> String {
            let name = text.hasSuffix("-drm") ? String(text.dropLast(4)) : text
            return String(name.map { $0 == "-" ? "_" : $0 })
        }
        return plain(driver) == plain(wanted)
    }

    private static func connectorNames(of node: String) -> [String] {
        let prefix = "\(cardName(node))-"
        return (DirectoryListing.names(in: sysFolder) ?? []).filter { $0.hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count))
        }
    }

    private static func cardName(_ node: String) -> String {
        node.split(separator: "/").last.map(String.init) ?? node
    }
}
