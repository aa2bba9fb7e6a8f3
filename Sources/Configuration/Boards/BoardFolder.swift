import Glibc

/// Where board profiles are kept, one file `NAME.yaml` for each.
package struct BoardFolder: Hashable, Sendable {
    package var path: String

    package init(path: String) {
        self.path = path
    }

    /// `$CALLBOX_BOARDS`, or where the package puts them.
    package static var standard: BoardFolder {
        let given = getenv("CALLBOX_BOARDS").map { String(cString: $0) } ?? ""
        return BoardFolder(path: given.isEmpty ? "/usr/share/callbox/boards" : given)
    }

    /// Small letters, digits and single hyphens: a name that is no path.
    static func isName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return text.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
            }
    }

    /// Nil where there is no such profile.
    /// - Errors: what is wrong with the profile, at its own places.
    /// - Thread: any that may block.
    func profile(_ name: String) throws(ConfigurationProblems) -> BoardProfile? {
        guard BoardFolder.isName(name) else { return nil }
        let file = "\(path)/\(name).yaml"
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try BoundedFile.read(file, maximumBytes: YAMLLimits.byteCount)
        } catch {
            if case .system(code: ENOENT) = error { return nil }
            throw ConfigurationProblems(
                [ConfigurationProblem(file: file, position: nil, key: "", reason: error.description)])
        }
        return try BoardProfile.parse(bytes, file: file)
    }

    /// The names of the profiles that can be read, in order; at most 100.
    func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder), names.count < 100 {
            let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard file.hasSuffix(".yaml") else { continue }
            let name = String(file.dropLast(".yaml".count))
            // An example of a whole configuration may lie beside the profiles.
            if (try? profile(name)) != nil { names.append(name) }
        }
        return names.sorted()
    }
}
