/// One thing that is wrong with a configuration, in words for the person who wrote it.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// Nil where the file as a whole is meant.
    package var position: TextPosition?
    /// The full name, as in `camera.width`; `YAML` for the form of the file; empty where the file cannot be read.
    package var key: String
    package var reason: String
    package var allowed: String?
    /// What may have been meant.
    package var suggestion: String?

    /// `file:line:column: key: what is wrong; what is allowed (did you mean …?)`
    package var description: String {
        var text = file
        if let position { text += ":\(position.line):\(position.column)" }
        if !key.isEmpty { text += ": \(key)" }
        text += ": \(reason)"
        if let allowed { text += "; allowed: \(allowed)" }
        if let suggestion { text += " (did you mean \(suggestion)?)" }
        return text
    }
}
