/// What documents say of one key.
package struct SchemaRow: Hashable, Sendable {
    /// As in `ice.servers[].urls`.
    package var path: String
    package var allowed: String
    /// Nil where the key may be absent.
    package var defaultText: String?
    package var documentation: String
}
