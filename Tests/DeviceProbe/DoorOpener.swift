import Synchronization

/// Hands the wish to open the door from the panel's thread to the probe's.
final class DoorOpener: Sendable {
    let isWanted = Atomic<Bool>(false)
}
