import Glibc

/// Finds the font for words on the screen: a sans-serif one of those that Linux distributions install.
package enum TextFont {
    /// The usual ones, best first.
    private static let usual = [
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf",
        "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    ]
    private static let folders = ["/usr/local/share/fonts", "/usr/share/fonts"]
    /// Folders within folders that are looked through.
    private static let deepest = 4

    /// The path of a font file; nil when none is installed.
    package static func find() -> String? {
        if let path = usual.first(where: { access($0, R_OK) == 0 }) { return path }
        let files = folders.flatMap { fontFiles(in: $0, depth: 0) }
        return files.min { rank(of: $0) < rank(of: $1) }
    }

    /// 0 for an upright sans-serif font of usual weight, more for what is less fit to be read.
    static func rank(of path: String) -> Int {
        let name = path.split(separator: "/").last?.lowercased() ?? ""
        let unfit = [
            "bold", "italic", "oblique", "mono", "light", "thin", "condensed", "emoji", "symbol", "math", "icon",
        ]
        return unfit.count(where: { name.contains($0) }) * 2 + (name.contains("sans") ? 0 : 1)
    }

    private static func fontFiles(in folder: String, depth: Int) -> [String] {
        guard depth < deepest, let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var files: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            if name.hasSuffix(".ttf") || name.hasSuffix(".otf") {
                files.append(path)
            } else {
                files += fontFiles(in: path, depth: depth + 1)
            }
        }
        return files
    }
}
