import Testing

@testable import Configuration

/// The problems of a file's text as lines; empty where it is good.
func problems(_ text: String, file: String = "callbox.yaml") -> [String] {
    problems(Array(text.utf8), file: file)
}

func problems(_ bytes: [UInt8], file: String = "callbox.yaml") -> [String] {
    do throws(ConfigurationProblems) {
        _ = try Configuration.parse(bytes, file: file)
        return []
    } catch {
        return error.problems.map(\.description)
    }
}

/// The configuration that a text gives; a problem is a failed test.
func configuration(_ text: String, directory: String = "") -> Configuration {
    do throws(ConfigurationProblems) {
        return try Configuration.parse(Array(text.utf8), file: "callbox.yaml", directory: directory)
    } catch {
        Issue.record("\(error)")
        return Configuration()
    }
}
