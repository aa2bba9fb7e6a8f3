import Synchronization

/// Remembers for each host the address that answered last, so that a name server which is away or slow does not keep a
/// client from a server that is there.
///
/// - Thread: any.
package final class NameMemory: Sendable {
    private let addresses = Mutex<[String: NameLookup.Address]>([:])

    package init() {}

    func lastGood(for host: String) -> NameLookup.Address? { addresses.withLock { $0[host] } }

    func remember(_ address: NameLookup.Address, for host: String) { addresses.withLock { $0[host] = address } }
}
