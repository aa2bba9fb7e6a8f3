import Glibc
import Testing

@testable import Realtime

@Suite struct ProcessMemoryTests {
    private func residentKiB() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var pages = [CChar](repeating: 0, count: 128)
        guard fgets(&pages, Int32(pages.count), file) != nil else { return 0 }
        let text = String(decoding: pages.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1_024 : 0
    }

    @Test func pagesThatRepeatFilesAreLetGoAndTheProcessGoesOn() {
        let before = residentKiB()
        let released = ProcessMemory.releaseFilePages()
        let after = residentKiB()
        print("resident \(before) -> \(after) KiB, \(released) KiB let go")
        #expect(released > 0)
        // What was written stays: relocated data, strings, this array.
        var numbers = (0..<10_000).map { $0 * 3 }
        numbers.sort(by: >)
        #expect(numbers.first == 29_997)
        #expect("\(numbers.count)" == "10000")
        #expect(ProcessMemory.releaseFilePages() > 0)
    }

    /// The sanitizers bring an allocator of their own, of which the C library's accounts know nothing.
    private static let sanitizers: [String] = ["__tsan_init", "__asan_init"]
    private static let allocatorIsTheCLibrary = sanitizers.allSatisfy { name in dlsym(nil, name) == nil }

    @Test(.enabled(if: allocatorIsTheCLibrary, "the allocator is a sanitizer's"))
    func bytesInUseFollowWhatIsAllocated() {
        let before = ProcessMemory.bytesInUse
        let block = malloc(8 << 20)
        // Optimised, an allocation of which nobody hears would not be made.
        print("allocated at \(String(describing: block))")
        #expect(ProcessMemory.bytesInUse >= before + 7 << 20)
        free(block)
    }
}
