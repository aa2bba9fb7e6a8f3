import CLinuxShims
import Glibc
import MediaTypes

/// What this process uses, read from `/proc/self`.
package struct ProcessUsage: Sendable {
    package var cpuSeconds: Double
    package var residentKiB: Int
    package var privateDirtyKiB: Int
    package var threadCount: Int
    package var descriptorCount: Int

    package static func read() -> ProcessUsage {
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        let cpu = Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
        let rollup = text(of: "/proc/self/smaps_rollup")
        let status = text(of: "/proc/self/status")
        return ProcessUsage(
            cpuSeconds: cpu, residentKiB: number(after: "Rss:", in: rollup) ?? number(after: "VmRSS:", in: status) ?? 0,
            privateDirtyKiB: number(after: "Private_Dirty:", in: rollup) ?? 0,
            threadCount: number(after: "Threads:", in: status) ?? 0, descriptorCount: descriptors())
    }

    /// When the kernel started this process, on the monotonic clock, within 10 ms; the time now where `/proc` is closed.
    package static func startTime(now: MonotonicTime) -> MonotonicTime {
        // The name in field 2 may hold spaces and brackets: count from the last bracket.
        let stat = text(of: "/proc/self/stat")
        guard let bracket = stat.lastIndex(of: ")") else { return now }
        let fields = stat[stat.index(after: bracket)...].split(separator: " ")
        guard fields.count > 19, let ticks = Int64(fields[19]) else { return now }
        let ticksPerSecond = Int64(sysconf(Int32(_SC_CLK_TCK)))
        var bootTime = timespec()
        var monotonic = timespec()
        clock_gettime(CLOCK_BOOTTIME, &bootTime)
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        // Process start counts suspended time, the monotonic clock does not.
        let suspended =
            Int64(bootTime.tv_sec - monotonic.tv_sec) * 1_000_000_000 + Int64(bootTime.tv_nsec - monotonic.tv_nsec)
        return MonotonicTime(nanoseconds: ticks * (1_000_000_000 / max(1, ticksPerSecond)) - suspended)
    }

    private static func number(after key: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            return line.split(separator: " ").dropFirst().lazy.compactMap { Int($0) }.first
                ?? line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().lazy.compactMap { Int($0) }.first
        }
        return nil
    }

    private static func descriptors() -> Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without ".", ".." and the directory itself.
        return max(0, count - 3)
    }

    private static func text(of path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { Glibc.close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(file, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
