import Glibc

/// Finds the video nodes of the machine.
enum V4L2Directory {
    /// The node of a specifier: a path, a name below `/dev/v4l`, a card name, a bus address, or the first camera for
    /// `default`.
    static func path(of specifier: DeviceSpecifier) throws(DeviceError) -> String {
        let text = specifier.text
        if text.hasPrefix("/") { return text }
        if text.hasPrefix("by-id/") || text.hasPrefix("by-path/") { return "/dev/v4l/\(text)" }
        var problem = DeviceError.missing(name: text)
        var similar: String?
        let wanted = text.lowercased()
        for path in nodes() {
            let capability: V4L2Capability
            do {
                let node = try V4L2Node(path: path, name: text)
                guard let found = node.capability, found.isCamera else { continue }
                capability = found
            } catch {
                // A camera that may not be asked is not one that is missing.
                problem = error
                continue
            }
            if text == "default" || capability.card == text || capability.bus == text { return path }
            if similar == nil, capability.card.lowercased().contains(wanted) { similar = path }
        }
        guard let similar, !wanted.isEmpty else { throw problem }
        return similar
    }

    /// All nodes in the order of their numbers.
    static func nodes() -> [String] {
        let numbers = (DirectoryListing.names(in: "/dev") ?? []).compactMap { name in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        return numbers.sorted().map { "/dev/video\($0)" }
    }

    /// The cameras, for `callbox devices`.
    static func listings() -> [DeviceListing] {
        var stableNames: [String: String] = [:]
        for folder in ["by-path", "by-id"] {
            for name in DirectoryListing.names(in: "/dev/v4l/\(folder)") ?? [] {
                if let node = DirectoryListing.resolved("/dev/v4l/\(folder)/\(name)") {
                    stableNames[node] = "\(folder)/\(name)"
                }
            }
        }
        var found = nodes().compactMap { listing(of: $0, stableName: stableNames[$0]) }
        // A link belongs to one node only, however many cameras are at its place; their bus addresses may still differ.
        var users: [String: Int] = [:]
        for (_, bus) in found { users[bus, default: 0] += 1 }
        for (index, (listing, bus)) in found.enumerated()
        where listing.specifier.hasPrefix("/") && !bus.isEmpty && users[bus] == 1 {
            found[index].listing.specifier = bus
        }
        return found.map(\.listing)
    }

    private static func listing(of path: String, stableName: String?) -> (listing: DeviceListing, bus: String)? {
        var bus = ""
        var listing = DeviceListing(kind: .camera, specifier: stableName ?? path, summary: "camera")
        if let name = DirectoryListing.text(of: "/sys/class/video4linux/\(path.dropFirst(5))/name") {
            listing.summary = String(name.prefix { $0 != "\n" })
        }
        do {
            let node = try V4L2Node(path: path, name: listing.specifier)
            // Nodes for metadata, output or memory-to-memory work are no cameras.
            guard let capability = node.capability, capability.isCamera else { return nil }
            listing.summary = capability.card
            bus = capability.bus
            listing.details = ["node \(path), driver \(capability.driver), bus \(capability.bus)"]
            listing.details += CameraMode.summary(of: node.modes())
        } catch {
            listing.problem = error.description
        }
        return (listing, bus)
    }
}
