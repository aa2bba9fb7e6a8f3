import MediaTypes

/// Which media line the far side's SSRCs belong to: announced ones and learned ones, a bounded number of each.
struct SourceTable {
    /// A hostile peer may show any number of SSRCs: the one that was not used for longest makes room.
    static let learnedLimit = 32
    static let announcedLimit = 128

    private struct Entry: BitwiseCopyable {
        var ssrc: SSRC
        var lineIndex: Int
        var isAnnounced: Bool
        var lastUse: Int64
    }

    private var entries: [Entry] = []
    private var useCount: Int64 = 0

    init() {
        entries.reserveCapacity(Self.learnedLimit + 8)
    }

    /// Bounded by the limits above.
    var count: Int { entries.count }

    mutating func line(of ssrc: SSRC) -> Int? {
        useCount += 1
        for index in entries.indices where entries[index].ssrc == ssrc {
            entries[index].lastUse = useCount
            return entries[index].lineIndex
        }
        return nil
    }

    mutating func learn(_ ssrc: SSRC, line: Int) {
        useCount += 1
        let learned = entries.lazy.filter { !$0.isAnnounced }.count
        if learned >= Self.learnedLimit {
            var oldest: Int?
            for index in entries.indices where !entries[index].isAnnounced {
                if oldest.map({ entries[index].lastUse < entries[$0].lastUse }) ?? true { oldest = index }
            }
            if let oldest { entries.remove(at: oldest) }
        }
        entries.append(Entry(ssrc: ssrc, lineIndex: line, isAnnounced: false, lastUse: useCount))
    }

    /// Takes over what SDP announces; learned sources of lines that are no more are forgotten.
    mutating func configure(_ lines: [MediaLineConfiguration]) {
        let remaining = Set(lines.map(\.lineIndex))
        entries.removeAll { $0.isAnnounced || !remaining.contains($0.lineIndex) }
        var announced = 0
        for line in lines {
            for ssrc in line.remoteSSRCs where announced < Self.announcedLimit {
                entries.removeAll { $0.ssrc == ssrc }
                entries.append(Entry(ssrc: ssrc, lineIndex: line.lineIndex, isAnnounced: true, lastUse: useCount))
                announced += 1
            }
        }
    }
}
