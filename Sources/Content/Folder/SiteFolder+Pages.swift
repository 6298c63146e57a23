import FoundationEssentials
import Glibc

extension SiteFolder {
    private static let pageEndings = [".html", ".htm", ".xhtml"]

    /// The URL paths of all documents below the folder, in order. A folder is walked through once:
    /// by its own name, or else by the first link to it.
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
            for name in try names(in: folder) {
                let relative = folder.isEmpty ? name : "\(folder)/\(name)"
                guard let real = Self.resolve("\(path)/\(relative)"), contains(real) else {
                    continue
                }
                switch Self.kind(of: real) {
                case S_IFDIR where real == "\(path)/\(relative)": folders.append(relative)
                case S_IFDIR: links.insert(relative, at: 0)
                case S_IFREG where Self.isPage(name): pages.append("/" + Self.encode(relative))
                default: break
                }
            }
        }
        return pages.sorted()
    }

    private func names(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
        } catch {
            throw ContentError(.badFolder, "\(path)/\(folder) can't be read: \(error)")
        }
    }

    private static func isPage(_ name: String) -> Bool {
        pageEndings.contains { name.lowercased().hasSuffix($0) }
    }

    /// A file's name as a URL's path spells it.
    static func encode(_ path: String) -> String {
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
