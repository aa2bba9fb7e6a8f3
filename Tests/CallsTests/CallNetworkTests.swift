import MediaTypes
import Testing

@testable import Calls

@Suite struct CallNetworkTests {
    /// - Returns: all that were compared, exempt, answered and put in.
    private func walk(_ options: CallNetwork.Options, seeds: ClosedRange<UInt64>, seconds: Int64) {
        var compared = 0
        var exempt = 0
        var answered = 0
        var inputs = 0
        for seed in seeds {
            var network = CallNetwork(options, seed: seed)
            network.run(for: .seconds(seconds))
            network.finish()
            #expect(network.failures.isEmpty, "seed \(seed), \(options): \(network.failures.prefix(5))")
            compared += network.compared
            exempt += network.exempt
            answered += network.answeredCalls
            inputs += network.inputs
        }
        print(
            "seeds \(seeds), \(options): \(inputs) inputs, \(answered) answers, \(compared) calls compared, "
                + "\(exempt) with an outage of the lost time seen differently")
        #expect(compared > 0 && answered > 0)
    }

    @Test func twoEndsAgreeHowEveryCallEnded() {
        walk(CallNetwork.Options(), seeds: 1...40, seconds: 150)
    }

    @Test func threeEndsAgreeHowEveryCallEnded() {
        walk(CallNetwork.Options(ends: 3), seeds: 1...40, seconds: 150)
    }

    @Test func endsAgreeThroughLostRoomsRestartsAndDepartures() {
        walk(CallNetwork.Options(ends: 2, faults: true), seeds: 1...100, seconds: 150)
        walk(CallNetwork.Options(ends: 3, faults: true), seeds: 1...100, seconds: 150)
    }

    @Test func endsAgreeWhenMessagesComeTwiceAndLateAndSomebodySendsNonsense() {
        walk(
            CallNetwork.Options(ends: 3, faults: true, duplicates: true, hostile: true), seeds: 1...100, seconds: 150)
    }
}
