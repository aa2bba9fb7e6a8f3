import Glibc
import MediaTypes
import Realtime
import Testing

@testable import Endpoint

@Suite struct ProcessUsageTests {
    @Test func usageOfThisProcessIsPlausible() {
        let usage = ProcessUsage.read()
        #expect(usage.cpuSeconds > 0)
        #expect((1_000...8_000_000).contains(usage.residentKiB))
        #expect(usage.privateDirtyKiB > 0 && usage.privateDirtyKiB <= usage.residentKiB)
        #expect(usage.threadCount >= 1)
        #expect(usage.descriptorCount >= 1)
    }

    @Test func anOpenDescriptorIsCounted() {
        let before = ProcessUsage.read().descriptorCount
        let descriptors = (0..<50).map { _ in open("/dev/null", O_RDONLY) }
        let after = ProcessUsage.read().descriptorCount
        for descriptor in descriptors { close(descriptor) }
        // Other tests of the same process open and close some at the same time.
        #expect((after - before) > 25)
    }

    @Test func theProcessStartedBeforeNowAndNotLongAgo() {
        let now = MonotonicClock.now()
        let age = now - ProcessUsage.startTime(now: now)
        print("this process is \(age.milliseconds) ms old")
        #expect(age > .zero && age < .seconds(7_200))
    }
}
