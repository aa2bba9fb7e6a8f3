/// What a configuration file may cost before it is refused.
enum YAMLLimits {
    static let byteCount = 256 * 1_024
    static let depth = 16
    static let nodeCount = 10_000
}
