import Configuration

/// libFuzzer target: configuration files, through libyaml and the whole schema.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzYAML(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // A board profile is the same bytes under another schema.
    do throws(ConfigurationProblems) {
        let profile = try BoardProfile.parse(input, file: "input")
        precondition(!profile.title.isEmpty && profile.pins.allSatisfy { !$0.name.isEmpty && !$0.line.isEmpty })
    } catch {
        precondition(!error.problems.isEmpty && error.problems.allSatisfy { $0.file == "input" })
    }
    do throws(ConfigurationProblems) {
        let configuration = try Configuration.parse(input, file: "input", directory: "/folder")
        precondition(!configuration.camera.devices.isEmpty)
        precondition(configuration.video.minimumBitrate <= configuration.video.maximumBitrate)
        for server in configuration.ice.servers {
            precondition(server.endpoints.count == server.urls.count && !server.urls.isEmpty)
        }
    } catch {
        precondition(!error.problems.isEmpty && error.problems.count <= 100)
        for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
            precondition(line.hasPrefix("input:") && line.utf8.count < 2_000)
        }
    }
    return 0
}
