import Glibc
import MediaTypes

/// Lines on standard output.
enum ProbeText {
    static func print(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        }
    }

    /// With two digits behind the point.
    static func hundredths(_ value: Double) -> String {
        let count = Int((value * 100).rounded())
        let rest = abs(count) % 100
        return "\(count < 0 ? "-" : "")\(abs(count) / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// User and system time of this process so far, in seconds.
    static var processorSeconds: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
