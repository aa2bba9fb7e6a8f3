extension BoardProfile {
    /// Reads a profile from the bytes of its file.
    /// - Parameter file: the name that messages begin with.
    /// - Errors: everything that is wrong with it, at once.
    package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationProblems) -> BoardProfile {
        var problems = ProblemList(file: file)
        var profile = BoardProfile()
        let node = bytes.withUnsafeBytes { YAMLReader.read($0, problems: &problems) }
        if let node {
            BoardSchema.root.read(node, SchemaPlace(key: "", directory: ""), into: &profile, &problems)
        }
        guard problems.count == 0 else { throw ConfigurationProblems(problems.sorted) }
        profile.file = file
        return profile
    }
}
