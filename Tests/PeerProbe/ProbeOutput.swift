import Glibc
import JSONText

/// One JSON object a line on standard output, each by one system call.
enum ProbeOutput {
    static func write(_ value: JSONValue) {
        var line = value.text() + "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while rest.count > 0 {
                let written = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
                guard written > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
        }
    }
}
