import TenureFoundation
import TenureSystem
import Web

/// A folder as a web server sees it: which file a path means, and nothing outside of the folder.
public struct SiteFolder: Sendable {
    /// Absolute, with its symbolic links resolved.
    public let path: String
    /// Whether it is a folder of Markdown, as a forge shows it: it has some at its top, and no
    /// `index.html`.
    public let holdsMarkdown: Bool
    /// Of a folder that only holds what is checked: those of its documents that are, by their names
    /// below it. Nil where it was named itself.
    private let documents: Set<String>?

    public enum Answer: Sendable, Hashable {
        /// A file, by its absolute path.
        case file(String)
        /// A folder's path without its slash.
        case folder
        /// Something that is there, and says nothing: a folder's list of what is in it, or a file
        /// that nobody has to read.
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
        documents = nil
    }

    /// A folder that holds several documents which are checked together, and much else, perhaps:
    /// of what isn't checked only documents that aren't hidden are read, for their anchors. Of the
    /// rest it is told that it is there.
    /// - Parameter documents: their names below the folder.
    /// - Throws: `ContentError` with `.badFolder`.
    public init(_ path: String, holding documents: Set<String>) throws {
        guard let real = Self.resolve(path), Self.kind(of: real) == S_IFDIR, real != "/" else {
            throw ContentError(.badFolder, "\(path) is not a folder that can be checked")
        }
        self.path = real
        holdsMarkdown = documents.contains(where: Self.isMarkdown)
        self.documents = documents
    }

    /// What a URL's path means, percent-encoded as it came.
    public func answer(_ urlPath: String) -> Answer {
        guard let segments = Self.segments(urlPath) else { return .missing }
        let candidate = ([path] + segments).joined(separator: "/")
        guard let real = Self.resolve(candidate), contains(real) else { return .missing }
        switch Self.kind(of: real) {
        case S_IFREG:
            if urlPath.hasSuffix("/") || isRules(real) { return .missing }
            return isRead(real) ? .file(real) : .list
        case S_IFDIR:
            guard urlPath.hasSuffix("/") else { return .folder }
            guard let index = Self.resolve("\(real)/index.html"), contains(index),
                Self.kind(of: index) == S_IFREG
            else { return holdsMarkdown ? .list : .missing }
            return isRead(index) ? .file(index) : .list
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

    private func isRead(_ real: String) -> Bool {
        guard let documents else { return true }
        let name = String(real.dropFirst(path.count + 1))
        if documents.contains(name) { return true }
        return !name.split(separator: "/").contains { $0.hasPrefix(".") } && Self.isDocument(name)
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
