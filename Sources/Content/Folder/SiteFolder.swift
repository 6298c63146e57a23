import FoundationEssentials
import Glibc

/// A folder as a web server sees it: which file a path means, and nothing outside of the folder.
public struct SiteFolder: Sendable {
    /// Absolute, with its symbolic links resolved.
    public let path: String
    /// Whether it is a folder of Markdown, as a forge shows it: it has some at its top, and no
    /// `index.html`.
    public let holdsMarkdown: Bool

    public enum Answer: Sendable, Hashable {
        /// A file, by its absolute path.
        case file(String)
        /// A folder's path without its slash.
        case folder
        /// A folder's list of what is in it, which says nothing.
        case list
        case missing
    }

    /// What a server of the folder does beside its files: no page of it.
    public static let rulesFile = "_site.json"

    /// - Throws: `ContentError` with `.badFolder`.
    public init(_ path: String) throws {
        guard let real = Self.resolve(path), Self.kind(of: real) == S_IFDIR else {
            throw ContentError(.badFolder, "\(path) is not a folder")
        }
        self.path = real
        let isSite = Self.kind(of: "\(real)/index.html") != nil
        holdsMarkdown = try !isSite && Self.names(in: real).contains(where: Self.isMarkdown)
    }

    /// What a URL's path means, percent-encoded as it came.
    public func answer(_ urlPath: String) -> Answer {
        guard let segments = Self.segments(urlPath) else { return .missing }
        let candidate = ([path] + segments).joined(separator: "/")
        guard let real = Self.resolve(candidate), contains(real) else { return .missing }
        switch Self.kind(of: real) {
        case S_IFREG: return urlPath.hasSuffix("/") || isRules(real) ? .missing : .file(real)
        case S_IFDIR:
            guard urlPath.hasSuffix("/") else { return .folder }
            guard let index = Self.resolve("\(real)/index.html"), contains(index),
                Self.kind(of: index) == S_IFREG
            else { return holdsMarkdown ? .list : .missing }
            return .file(index)
        default: return .missing
        }
    }

    /// The file that a URL's path names, as it is called below the folder: symbolic links are
    /// left as they are, and the file needn't exist.
    public static func name(ofPath urlPath: String) -> String? {
        guard let segments = segments(urlPath) else { return nil }
        let name = segments.joined(separator: "/")
        return urlPath.hasSuffix("/") ? name + (name.isEmpty ? "" : "/") + "index.html" : name
    }

    func contains(_ real: String) -> Bool { real == path || real.hasPrefix(path + "/") }
    private func isRules(_ real: String) -> Bool { real == "\(path)/\(Self.rulesFile)" }

    /// Decoded, without empty segments; nil where a decoded segment couldn't be a file's name.
    private static func segments(_ urlPath: String) -> [String]? {
        var segments: [String] = []
        for part in urlPath.split(separator: "/") {
            let bytes = part.percentDecodedBytes
            if bytes.contains(0) || bytes.contains(UInt8(ascii: "/")) { return nil }
            let segment = String(decoding: bytes, as: UTF8.self)
            if segment == "." || segment == ".." { return nil }
            segments.append(segment)
        }
        return segments
    }

    static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
