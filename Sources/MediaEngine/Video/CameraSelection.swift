/// Which of the configured cameras is tried next.
///
/// Without a switch the list is an order of preference. A switch makes another camera the preferred one, from which the
/// order runs through the list and round.
struct CameraSelection: Equatable, Sendable {
    private let count: Int
    /// Tried first.
    private(set) var preferred = 0
    /// Opened last.
    private(set) var current: Int?
    /// The one to come back to while a switch has not succeeded.
    private var before: Int?

    init(count: Int) {
        precondition(count > 0, "there is a camera to select")
        self.count = count
    }

    /// The cameras in the order in which they are to be tried; during a switch the one before it comes last.
    var order: [Int] {
        let round = (0..<count).map { (preferred + $0) % count }
        guard let before else { return round }
        return round.filter { $0 != before } + [before]
    }

    /// Prefers another camera: the given one, or the next after the current one.
    /// - Returns: false when that is the one already in use.
    mutating func choose(_ wanted: Int?) -> Bool {
        let next = wanted ?? ((current ?? preferred) + 1) % count
        guard next != current else { return false }
        before = current
        preferred = next
        return true
    }

    /// A camera was opened, which ends a switch.
    /// - Returns: true when that was a switch and it led back to where it began.
    mutating func opened(_ index: Int) -> Bool {
        let isBack = before == index
        // A person's choice lasts: after a fault the same camera is tried first.
        if before != nil { preferred = index }
        before = nil
        current = index
        return isBack
    }
}
