import Glibc

extension Configuration {
    /// Reads a configuration file.
    /// - Parameter boards: where the profile is that it may name.
    /// - Errors: everything that is wrong with it, at once.
    /// - Thread: any that may block.
    package static func load(
        _ path: String, boards: BoardFolder = .standard
    ) throws(ConfigurationProblems) -> Configuration {
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try BoundedFile.read(path, maximumBytes: YAMLLimits.byteCount)
        } catch {
            let problem = ConfigurationProblem(file: path, position: nil, key: "", reason: error.description)
            throw ConfigurationProblems([problem])
        }
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ""
        return try parse(bytes, file: path, directory: directory, boards: boards)
    }

    /// Reads a configuration from the bytes of a file.
    /// - Parameters:
    ///   - file: the name that messages begin with.
    ///   - directory: where relative paths start; empty for the working directory.
    ///   - boards: where the profile is that it may name.
    /// - Thread: any that may block where a board is named.
    package static func parse(
        _ bytes: [UInt8], file: String, directory: String = "", boards: BoardFolder = .standard
    ) throws(ConfigurationProblems) -> Configuration {
        var problems = ProblemList(file: file)
        var profileProblems: [ConfigurationProblem] = []
        var configuration = Configuration()
        let node = bytes.withUnsafeBytes { YAMLReader.read($0, problems: &problems) }
        if let node {
            // The profile comes first, so that what the configuration says itself wins.
            let profile: BoardProfile?
            do throws(ConfigurationProblems) {
                profile = try namedProfile(node, boards, &problems)
            } catch {
                profile = nil
                profileProblems = error.problems
            }
            profile?.apply(to: &configuration)
            configuration.board.profile = profile
            let place = SchemaPlace(key: "", directory: directory)
            ConfigurationSchema.root.read(node, place, into: &configuration, &problems)
        }
        let all = profileProblems + problems.sorted
        guard all.isEmpty else { throw ConfigurationProblems(all) }
        configuration.replacePins()
        return configuration
    }

    /// The profile of the board that the file names; nil, and reported unless there is no name at all, where there is none.
    private static func namedProfile(
        _ node: YAMLNode, _ boards: BoardFolder, _ problems: inout ProblemList
    ) throws(ConfigurationProblems) -> BoardProfile? {
        guard case .mapping(let entries) = node.content, let entry = entries.first(where: { $0.name == "board" }),
            case .scalar(let name, _) = entry.value.content, BoardFolder.isName(name)
        else { return nil }
        if let profile = try boards.profile(name) { return profile }
        let names = boards.names()
        problems.report(
            entry.value.position, key: "board", "there is no profile \(quoted(name)) in \(boards.path)",
            allowed: names.isEmpty ? nil : names.joined(separator: ", "),
            suggestion: NearestWord.find(name, in: names))
        return nil
    }
}
