import Glibc
import MediaTypes
import Testing

@testable import Telemetry

@Suite(.timeLimit(.minutes(5))) struct ServiceManagerTests {
    private static func manager(_ variables: [String: String]) -> ServiceManager? {
        ServiceManager { variables[$0] }
    }

    @Test(arguments: [false, true]) func eachMessageIsOneDatagram(isAbstract: Bool) throws {
        let socket = try #require(NotifySocket(isAbstract: isAbstract))
        let manager = try #require(Self.manager(["NOTIFY_SOCKET": socket.name]))
        #expect(manager.tellReady())
        #expect(manager.tell(status: "joined reception, alone"))
        #expect(manager.feedWatchdog())
        #expect(manager.triggerWatchdog())
        #expect(manager.tellStopping())
        let expected = [
            "READY=1", "STATUS=joined reception, alone", "WATCHDOG=1", "WATCHDOG=trigger", "STOPPING=1",
        ]
        for text in expected { #expect(socket.next() == text) }
        #expect(socket.next() == nil)
    }

    @Test func withoutASocketThereIsNoManager() {
        #expect(Self.manager([:]) == nil)
        #expect(Self.manager(["NOTIFY_SOCKET": ""]) == nil)
        #expect(Self.manager(["NOTIFY_SOCKET": "@"]) == nil)
        #expect(Self.manager(["NOTIFY_SOCKET": "relative"]) == nil)
        #expect(Self.manager(["NOTIFY_SOCKET": "vsock:2:1234"]) == nil)
        #expect(Self.manager(["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)]) == nil)
    }

    @Test func aManagerThatIsGoneIsNoTrouble() throws {
        let manager = try #require(Self.manager(["NOTIFY_SOCKET": "/nowhere/notify"]))
        #expect(!manager.tellReady())
        #expect(!manager.feedWatchdog())
    }

    @Test func aManagerThatDoesNotReadIsNotWaitedFor() throws {
        let socket = try #require(NotifySocket(isAbstract: true))
        let manager = try #require(Self.manager(["NOTIFY_SOCKET": socket.name]))
        var sent = 0
        while manager.feedWatchdog(), sent < 100_000 { sent += 1 }
        #expect(sent > 0 && sent < 100_000)
        #expect(socket.next() == "WATCHDOG=1")
        #expect(manager.feedWatchdog())
    }

    @Test func theWatchdogIsOnlyForTheProcessThatIsMeant() throws {
        let socket = try #require(NotifySocket(isAbstract: true))
        func time(_ variables: [String: String]) throws -> Interval? {
            let all = variables.merging(["NOTIFY_SOCKET": socket.name]) { a, _ in a }
            return try #require(Self.manager(all)).watchdogTime
        }
        #expect(try time(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid())"]) == .seconds(30))
        #expect(try time(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(try time(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "\(getpid() + 1)"]) == nil)
        #expect(try time(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "me"]) == nil)
        #expect(try time([:]) == nil)
        #expect(try time(["WATCHDOG_USEC": "0"]) == nil)
        #expect(try time(["WATCHDOG_USEC": "-1"]) == nil)
        #expect(try time(["WATCHDOG_USEC": "soon"]) == nil)
    }

    @Test func aStatusIsOneShortLine() throws {
        let socket = try #require(NotifySocket(isAbstract: true))
        let manager = try #require(Self.manager(["NOTIFY_SOCKET": socket.name]))
        manager.tell(status: "lost\nREADY=1\u{1B}[2Jreception\u{85}")
        #expect(socket.next() == "STATUS=lost READY=1 [2Jreception ")
        manager.tell(status: String(repeating: "ä", count: 1_000))
        #expect(socket.next() == "STATUS=" + String(repeating: "ä", count: 256))
    }
}
