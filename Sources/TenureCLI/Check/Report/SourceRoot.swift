import Content
import TenureFoundation

/// Where the files of a checked folder are for those who look at its repository: below the working
/// directory, which CI runs in its root.
struct SourceRoot: Sendable {
    /// Empty for the working directory itself, with a slash at its end otherwise; nil for a site.
    private let prefix: String?
    /// The folder, as it was named.
    let name: String?

    init(folder: String?, in directory: String = FileManager.default.currentDirectoryPath) {
        name = folder
        prefix = folder.map { folder in
            let base = Self.parts(directory)
            let path = folder.hasPrefix("/") ? Self.parts(folder) : Self.parts(folder, after: base)
            let isBelow = path.starts(with: base)
            let rest = isBelow ? Array(path.dropFirst(base.count)) : path
            let text = rest.map { $0 + "/" }.joined()
            return isBelow ? text : "/" + text
        }
    }

    /// The folder itself, as its files are named.
    var shownFolder: String? {
        prefix.map { $0.isEmpty ? "." : String($0.dropLast()) }
    }

    /// Relative, or absolute where it isn't below.
    func path(of place: FindingPlace) -> String? { path(ofFile: place.file) }

    func path(ofFile file: String?) -> String? {
        guard let file, let prefix else { return nil }
        return prefix + file
    }

    private static func parts(_ path: String, after base: [String] = []) -> [String] {
        path.split(separator: "/").reduce(into: base) { parts, part in
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append("\(part)") }
        }
    }
}
