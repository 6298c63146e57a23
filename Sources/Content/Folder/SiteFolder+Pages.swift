import TenureFoundation
import TenureSystem

extension SiteFolder {
    private static let pageEndings = [".html", ".htm", ".xhtml"]
    private static let markdownEndings = [".md", ".markdown"]

    /// The URL paths of all documents below the folder, in order: of a folder of Markdown that, and
    /// nothing of what is hidden or belongs to others (`node_modules`). A folder is walked through
    /// once: by its own name, or else by the first link to it.
    /// - Throws: `ContentError` with `.badFolder` when a folder can't be read.
    public func pages() throws -> [String] {
        var pages: [String] = []
        var seen: Set<String> = [path]
        var folders = [""]
        var links: [String] = []
        while let folder = folders.popLast() ?? links.popLast() {
            if let real = Self.resolve("\(path)/\(folder)"), !folder.isEmpty {
                guard contains(real), seen.insert(real).inserted else { continue }
            }
            for name in try Self.names(in: "\(path)/\(folder)") where shows(name) {
                let relative = folder.isEmpty ? name : "\(folder)/\(name)"
                guard let real = Self.resolve("\(path)/\(relative)"), contains(real) else {
                    continue
                }
                switch Self.kind(of: real) {
                case S_IFDIR where real == "\(path)/\(relative)": folders.append(relative)
                case S_IFDIR: links.insert(relative, at: 0)
                case S_IFREG where isPage(name): pages.append("/" + Self.encode(relative))
                default: break
                }
            }
        }
        return pages.sorted()
    }

    static func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw ContentError(.badFolder, "\(folder) can't be read: \(error)")
        }
    }

    private func shows(_ name: String) -> Bool {
        !holdsMarkdown || !name.hasPrefix(".") && name != "node_modules"
    }

    private func isPage(_ name: String) -> Bool {
        holdsMarkdown ? Self.isMarkdown(name) : Self.isHTML(name)
    }

    /// Whether a file is one whose links are read, by its name.
    public static func isDocument(_ name: String) -> Bool { isHTML(name) || isMarkdown(name) }

    private static func isHTML(_ name: String) -> Bool {
        pageEndings.contains { name.lowercased().hasSuffix($0) }
    }

    static func isMarkdown(_ name: String) -> Bool {
        markdownEndings.contains { name.lowercased().hasSuffix($0) }
    }

    /// A file's name as a URL's path spells it.
    public static func encode(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            let isPlain =
                byte == UInt8(ascii: "/") || "-._~!$&'()*+,;=:@".utf8.contains(byte)
                || (byte < 0x80
                    && (Character(UnicodeScalar(byte)).isLetter
                        || Character(UnicodeScalar(byte)).isNumber))
            let digits = String(byte, radix: 16, uppercase: true)
            text +=
                isPlain
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return text
    }
}
