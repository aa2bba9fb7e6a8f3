/// The publisher's rules: each phase × each input has a stated outcome. ARCHITECTURE.md shows it.
///
/// ```
/// idle ──want──▶ requesting ──accepted──▶ publishing
///   ▲              │  ▲ ⟲ refused: retry     │ room lost, broken
///   └── unwant ────┘  └──────────────────────┘
/// ```
package enum PublisherTable {
    package static func outcome(of input: PublisherInput, in phase: PublisherPhase) -> PublisherOutcome {
        switch phase {
        case .idleOutside, .requestingOutside: outside(input, phase)
        case .idleInside: idle(input)
        case .requestingAsking: asking(input)
        case .requestingWaiting: waiting(input)
        case .publishing: publishing(input)
        }
    }

    private static func outside(_ input: PublisherInput, _ phase: PublisherPhase) -> PublisherOutcome {
        switch input {
        case .want: phase == .idleOutside ? .change(.requestingOutside, []) : .ignored
        case .unwant: phase == .requestingOutside ? .change(.idleOutside, []) : .ignored
        case .roomJoined: phase == .idleOutside ? .change(.idleInside, []) : .change(.requestingAsking, [.ask])
        case .roomLost, .accepted, .refused, .broken, .retryNow, .timeCame: .ignored
        }
    }

    private static func idle(_ input: PublisherInput) -> PublisherOutcome {
        switch input {
        case .want: .change(.requestingAsking, [.ask])
        case .roomLost: .change(.idleOutside, [])
        case .unwant, .roomJoined, .accepted, .refused, .broken, .retryNow, .timeCame: .ignored
        }
    }

    private static func asking(_ input: PublisherInput) -> PublisherOutcome {
        switch input {
        case .unwant: .change(.idleInside, [.withdraw])
        case .roomLost: .change(.requestingOutside, [])
        case .accepted: .change(.publishing, [])
        case .refused, .broken: .change(.requestingWaiting, [.planRetry])
        case .want, .roomJoined, .retryNow, .timeCame: .ignored
        }
    }

    private static func waiting(_ input: PublisherInput) -> PublisherOutcome {
        switch input {
        case .unwant: .change(.idleInside, [])
        case .roomLost: .change(.requestingOutside, [])
        case .retryNow, .timeCame: .change(.requestingAsking, [.ask])
        case .want, .roomJoined, .accepted, .refused, .broken: .ignored
        }
    }

    private static func publishing(_ input: PublisherInput) -> PublisherOutcome {
        switch input {
        case .unwant: .change(.idleInside, [.withdraw])
        case .roomLost: .change(.requestingOutside, [])
        case .broken: .change(.requestingWaiting, [.planRetry])
        case .want, .roomJoined, .accepted, .refused, .retryNow, .timeCame: .ignored
        }
    }
}
