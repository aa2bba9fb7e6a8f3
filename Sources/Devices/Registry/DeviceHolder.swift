import Glibc

/// Finds out from `/proc` which program has a device open.
enum DeviceHolder {
    /// The program that plays to or records from the card of a PCM name; nil when it cannot be told.
    static func ofSoundCard(pcmName: String, isCapture: Bool) -> String? {
        guard let card = ALSACard.ofPCM(pcmName) else { return nil }
        let folder = "/proc/asound/card\(card.index)"
        for device in DirectoryListing.names(in: folder) ?? [] where device.hasPrefix("pcm") {
            guard device.hasSuffix(isCapture ? "c" : "p") else { continue }
            for part in DirectoryListing.names(in: "\(folder)/\(device)") ?? [] where part.hasPrefix("sub") {
                guard let status = DirectoryListing.text(of: "\(folder)/\(device)/\(part)/status") else { continue }
                if let process = ownerProcess(inStatus: status) { return describe(process) }
            }
        }
        return nil
    }

    /// The program that has a file open; nil when there is none, or it belongs to another user.
    static func ofFile(_ path: String) -> String? {
        guard let real = DirectoryListing.resolved(path) else { return nil }
        for entry in DirectoryListing.names(in: "/proc") ?? [] {
            guard let process = Int(entry), process != Int(getpid()) else { continue }
            let folder = "/proc/\(process)/fd"
            for descriptor in DirectoryListing.names(in: folder) ?? []
            where DirectoryListing.target(ofLink: "\(folder)/\(descriptor)") == real {
                return describe(process)
            }
        }
        return nil
    }

    /// The process id in a PCM's `status` file (`owner_pid   : 1234`).
    static func ownerProcess(inStatus status: String) -> Int? {
        for line in status.split(separator: "\n") where line.hasPrefix("owner_pid") {
            return line.split(separator: ":").last.flatMap { Int($0.drop { $0 == " " }) }
        }
        return nil
    }

    private static func describe(_ process: Int) -> String {
        guard let name = DirectoryListing.text(of: "/proc/\(process)/comm")?.prefix(while: { $0 != "\n" }) else {
            return "process \(process)"
        }
        return "\(name) (process \(process))"
    }
}
