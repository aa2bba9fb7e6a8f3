import Glibc

extension Configuration {
    /// Reads a configuration file.
    /// - Errors: everything that is wrong with it, at once.
    /// - Thread: any that may block.
    package static func load(_ path: String) throws(ConfigurationProblems) -> Configuration {
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try BoundedFile.read(path, maximumBytes: YAMLLimits.byteCount)
        } catch {
            let problem = ConfigurationProblem(file: path, position: nil, key: "", reason: error.description)
            throw ConfigurationProblems([problem])
        }
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
        return try parse(bytes, file: path, directory: directory)
    }

    /// Reads a configuration from the bytes of a file.
    /// - Parameters:
    ///   - file: the name that messages begin with.
    ///   - directory: where relative paths start; empty for the working directory.
    package static func parse(
        _ bytes: [UInt8], file: String, directory: String = ""
    ) throws(ConfigurationProblems) -> Configuration {
        var problems = ProblemList(file: file)
        var configuration = Configuration()
        let node = bytes.withUnsafeBytes { YAMLReader.read($0, problems: &problems) }
        if let node {
            let place = SchemaPlace(key: "", directory: directory)
            ConfigurationSchema.root.read(node, place, into: &configuration, &problems)
        }
        guard problems.count == 0 else { throw ConfigurationProblems(problems.sorted) }
        return configuration
    }
}
