import Realtime
import Testing

@testable import Telemetry

@Suite struct CounterTests {
    @Test func countersOfOneNameAreOne() {
        let one = Counter("test.same")
        let other = Counter("test.same")
        one.increment()
        other.increment(by: 4)
        #expect(one.value == 5 && other.value == 5)
        #expect(Counter.snapshot().contains { $0.name == "test.same" && $0.value == 5 })
    }

    @Test func theSnapshotIsOrderedByName() {
        _ = Counter("test.b")
        _ = Counter("test.a")
        let names = Counter.snapshot().map(\.name)
        #expect(names == names.sorted())
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func countingAllocatesNothing() {
        let counter = Counter("test.allocations")
        #expect(AllocationCounter.count { counter.increment() } == 0)
    }

    @Test func aRedactedValueShowsItsLabelHoweverItIsPrinted() {
        let secret = Redacted("203.0.113.7", as: "address")
        var dumped = ""
        dump([secret], to: &dumped)
        for text in [
            "\(secret)", "\([secret])", String(reflecting: secret), String(describing: Optional(secret)), dumped,
        ] {
            #expect(!text.contains("203"))
        }
        #expect("\(secret)" == "<address>")
        #expect(secret.value == "203.0.113.7")
    }
}
