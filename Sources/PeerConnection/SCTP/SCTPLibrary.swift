import CNetworkShims
import MediaTypes
import Realtime
import Synchronization

/// usrsctp, started once per process when the first data line is negotiated; it stays until the process ends.
///
/// The library has one set of timers for all associations and may call back for any of them on the thread that drives
/// it. The table brings each call to the loop of its association, whose number is all that the library knows.
enum SCTPLibrary {
    /// What the table holds of an association.
    // @unchecked: the transport is touched on the thread of the loop only.
    struct Entry: @unchecked Sendable {
        let loop: NetworkLoop
        let transport: SCTPTransport
    }

    private struct Table {
        var entries: [UInt: Entry] = [:]
        var next: UInt = 1
        var advancedAt: MonotonicTime?
    }

    private static let table = Mutex(Table())
    private static let isStarted: Bool = {
        ccb_sctp_library_start(sctpOutput)
        return true
    }()

    /// Enters an association; its number is never used again.
    static func add(_ transport: SCTPTransport, on loop: NetworkLoop) -> UInt {
        precondition(isStarted, "usrsctp starts once")
        return table.withLock { table in
            let identifier = table.next
            table.next += 1
            table.entries[identifier] = Entry(loop: loop, transport: transport)
            return identifier
        }
    }

    static func remove(_ identifier: UInt) {
        table.withLock { _ = $0.entries.removeValue(forKey: identifier) }
    }

    static func entry(_ identifier: UInt) -> Entry? {
        table.withLock { $0.entries[identifier] }
    }

    /// Runs the library's timers up to now, whoever asks.
    static func advance(to now: MonotonicTime) {
        let milliseconds: Int64 = table.withLock { table in
            guard let before = table.advancedAt else {
                table.advancedAt = now
                return 0
            }
            let passed = max(0, (now - before).milliseconds)
            table.advancedAt = before + .milliseconds(passed)
            return passed
        }
        if milliseconds > 0 { ccb_sctp_library_advance(UInt32(clamping: milliseconds)) }
    }
}

private func sctpOutput(_ identifier: UInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int32 {
    guard let entry = SCTPLibrary.entry(identifier), let bytes else { return 0 }
    let packet = UnsafeRawBufferPointer(start: bytes, count: count)
    if entry.loop.isCurrent {
        entry.transport.sendPacket(packet)
    } else {
        let copy = Array(packet)
        entry.loop.post { copy.withUnsafeBytes { entry.transport.sendPacket($0) } }
    }
    return 0
}
