/// How one kind of value is read, and how it is described.
struct SchemaValue<Value: Sendable>: Sendable {
    /// What is allowed, as messages and documents say it: "an integer from 1 to 60".
    let allowed: String
    /// Reports and returns nil where the node holds no such value.
    let read: @Sendable (YAMLNode, SchemaPlace, inout ProblemList) -> Value?
    /// How the file would spell a value; nil for what must not be shown.
    let spell: @Sendable (Value) -> String?
}

/// Where a value stands: its full name for messages, and what its text needs to be understood.
struct SchemaPlace: Sendable {
    /// As in `camera.width`.
    var key: String
    /// The folder of the file, from which relative paths start; empty for the working directory.
    var directory: String

    func child(_ name: String) -> SchemaPlace {
        SchemaPlace(key: key.isEmpty ? name : "\(key).\(name)", directory: directory)
    }

    func item(_ index: Int) -> SchemaPlace {
        SchemaPlace(key: "\(key)[\(index)]", directory: directory)
    }
}
