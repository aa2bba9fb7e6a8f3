import Glibc
import MediaTypes
import Realtime
import Testing

@testable import Devices

@Suite struct LineTests {
    let lines = SimulatedLines()
    var opener: LineOpener { LineOpener(simulated: lines) }

    private func address(_ line: String) -> LineAddress { LineAddress(chip: "simulated", line: line) }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    @Test func aSimulatedInputTellsEdgesWithTheirTimes() throws {
        let input = try opener.openInput(LineInputSettings(address("BTN")))
        #expect(try !input.isActive(0) && !isReadable(input.fileDescriptor))
        let time = MonotonicTime(nanoseconds: 42)
        lines.set("BTN", isActive: true, at: time)
        lines.set("BTN", isActive: true, at: time + .seconds(1))
        lines.set("BTN", isActive: false, at: time + .seconds(2))
        #expect(isReadable(input.fileDescriptor))
        #expect(
            try input.readEdges() == [
                LineEdge(index: 0, isActive: true, time: time),
                LineEdge(index: 0, isActive: false, time: time + .seconds(2)),
            ])
        #expect(try input.readEdges().isEmpty && !isReadable(input.fileDescriptor))
        input.close()
    }

    @Test func anInputThatIsDownBeforeItIsOpenedSaysSo() throws {
        lines.set("BTN", isActive: true)
        let input = try opener.openInput(LineInputSettings(address("BTN")))
        #expect(try input.isActive(0) && input.readEdges().isEmpty)
        input.close()
    }

    @Test func aQueueThatRanOverEndsWithTheLevel() throws {
        let input = try opener.openInput(LineInputSettings(address("BTN")))
        for step in 0..<101 { lines.set("BTN", isActive: step % 2 == 0) }
        let edges = try input.readEdges()
        #expect(edges.count == SimulatedLines.queueLength + 1)
        #expect(edges.last?.isLevel == true && edges.last?.isActive == true)
        #expect(edges.dropLast().allSatisfy { !$0.isLevel })
        input.close()
    }

    @Test func anOutputIsInactiveWhenOpenedAndWhenClosed() throws {
        let output = try opener.openOutput(LineOutputSettings(address("LED")))
        #expect(!lines.isActive("LED") && lines.isTaken("LED"))
        try output.setActive(true)
        #expect(lines.isActive("LED"))
        output.close()
        #expect(!lines.isActive("LED") && !lines.isTaken("LED"))
        output.close()
    }

    @Test func aLineIsTakenOnce() throws {
        let first = try opener.openOutput(LineOutputSettings(address("LED")))
        #expect(throws: DeviceError.busy(name: "simulated LED", holder: "another button, LED or relay")) {
            try opener.openInput(LineInputSettings(address("LED")))
        }
        first.close()
        let second = try opener.openInput(LineInputSettings(address("LED")))
        second.close()
    }

    /// Chips and devices of the machine are not known, but these do not exist on any.
    @Test func whatIsNotThereIsMissing() {
        #expect(throws: DeviceError.missing(name: "no-such-chip 3")) {
            try opener.openInput(LineInputSettings(LineAddress(chip: "no-such-chip", line: "3")))
        }
        #expect(throws: DeviceError.missing(name: "NO_SUCH_LINE")) {
            try opener.openOutput(LineOutputSettings(LineAddress(chip: nil, line: "NO_SUCH_LINE")))
        }
        #expect(throws: DeviceError.missing(name: "/dev/no-such-chip 3")) {
            try opener.openOutput(LineOutputSettings(LineAddress(chip: "/dev/no-such-chip", line: "3")))
        }
        #expect(throws: DeviceError.missing(name: "no such keypad")) {
            try opener.openKeys([], ofDevice: "no such keypad", isGrabbed: false)
        }
    }

    @Test func whatIsSomethingElseIsTold() {
        #expect(throws: DeviceError.unsupported(name: "/etc/passwd 3", reason: "it is not a GPIO chip")) {
            try opener.openInput(LineInputSettings(LineAddress(chip: "/etc/passwd", line: "3")))
        }
        #expect(throws: DeviceError.unsupported(name: "/etc/passwd", reason: "it is not an input device")) {
            try opener.openKeys([], ofDevice: "/etc/passwd", isGrabbed: false)
        }
    }

    @Test func keysAreListedInLinesAndNotAllOfAKeyboard() {
        let few = [1, 28, 0x2b0].compactMap { KeyCode(number: $0) }
        #expect(KeyDirectory.summary(few) == ["KEY_ESC KEY_ENTER 0x2b0"])
        #expect(KeyDirectory.summary([]).isEmpty)
        let many = (1..<700).compactMap { KeyCode(number: $0) }
        let lines = KeyDirectory.summary(many)
        #expect(lines.count == 11 && lines.allSatisfy { $0.utf8.count <= 80 })
        let shown = lines.dropLast().joined(separator: " ").split(separator: " ").count
        #expect(lines.last == "and \(699 - shown) more")
    }

    @Test func anArrivalIsToldAlsoOfAFolderThatWasNotThereAndADeparture() throws {
        let folder = TemporaryFolder()
        let missing = "\(folder.path)/input"
        let arrivals = try #require(DeviceArrivals(folders: [folder.path, missing]))
        #expect(!isReadable(arrivals.fileDescriptor))
        mkdir(missing, 0o700)
        #expect(isReadable(arrivals.fileDescriptor))
        arrivals.drain()
        #expect(!isReadable(arrivals.fileDescriptor))
        close(open("\(missing)/event0", O_CREAT | O_WRONLY, 0o600))
        #expect(isReadable(arrivals.fileDescriptor))
        arrivals.drain()
        chmod("\(missing)/event0", 0o660)
        #expect(isReadable(arrivals.fileDescriptor))
        arrivals.drain()
        close(open("\(missing)/event0", O_RDONLY))
        #expect(!isReadable(arrivals.fileDescriptor))
        unlink("\(missing)/event0")
        #expect(isReadable(arrivals.fileDescriptor))
        rmdir(missing)
    }
}
