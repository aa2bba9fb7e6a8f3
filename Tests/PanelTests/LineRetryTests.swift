import Devices
import MediaTypes
import Testing

@testable import Panel

@Suite struct LineRetryTests {
    @Test func aLineIsTriedSoonAndThenEvery30Seconds() {
        var retry = LineRetry()
        var now = MonotonicTime(nanoseconds: 1_000)
        #expect(retry.time <= now)
        for seconds in [1, 5, 30, 30, 30] as [Int64] {
            retry.failed(at: now)
            #expect(retry.time == now + .seconds(seconds))
            now = retry.time
        }
        retry.succeeded()
        #expect(!retry.isWaiting)
        retry.failed(at: now)
        #expect(retry.time == now + .seconds(1))
    }

    @Test func anArrivalBringsTheNextAttemptForwardAndNeverBack() {
        var retry = LineRetry()
        let now = MonotonicTime(nanoseconds: 1_000)
        retry.succeeded()
        retry.somethingArrived(at: now)
        #expect(!retry.isWaiting)
        for _ in 0..<3 { retry.failed(at: now) }
        retry.somethingArrived(at: now)
        #expect(retry.time == now + .milliseconds(250))
        retry.somethingArrived(at: now + .milliseconds(100))
        #expect(retry.time == now + .milliseconds(250))
    }

    @Test func aFaultIsNewsOnceForEachCause() {
        var fault = LineFault()
        let busy = DeviceError.busy(name: "A", holder: "gpiomon")
        var news = [fault.set(busy), fault.set(busy)]
        #expect(fault.consumer == "gpiomon")
        news += [fault.set(.busy(name: "A", holder: "gpioset")), fault.set(.missing(name: "A"))]
        #expect(news == [true, false, true, true])
        #expect(fault.consumer == nil)
        let clears = [fault.clear(), fault.clear()]
        #expect(clears == [true, false])
    }

    @Test func whatWasUnpluggedIsMissingWithoutBeingNews() {
        var fault = LineFault()
        var news = [fault.set(.gone(name: "A")), fault.set(.missing(name: "A"))]
        #expect(fault.text == DeviceError.gone(name: "A").description)
        news.append(fault.set(.notPermitted(name: "A", hint: "?")))
        #expect(news == [true, false, true])
    }
}
