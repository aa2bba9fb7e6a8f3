/// Everything that is wrong with a configuration, in the order of the file; never empty.
package struct ConfigurationProblems: Error, Hashable, Sendable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]

    package init(_ problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// One problem a line.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
