import TenureFoundation

/// A `.gitignore`: what of a folder belongs to nobody's repository (gitignore(5)).
struct IgnoreFile: Sendable {
    private struct Rule {
        let glob: PathGlob
        let isException: Bool
        let isForFolders: Bool
    }

    private let rules: [Rule]
    private static let mostBytes = 1 << 20
    /// Each is asked of each name.
    private static let mostRules = 2000

    init(_ text: String) {
        rules = text.split(whereSeparator: \.isNewline).compactMap(Self.rule)
    }

    /// - Returns: nil where there is none.
    /// - Throws: `Failure` for one that can't be read.
    static func read(_ file: String) throws -> IgnoreFile? {
        guard FileManager.default.fileExists(atPath: file),
            case .file? = try InputPath.kind(of: file)
        else { return nil }
        let bytes = try InputPath.read(file, as: file)
        guard bytes.count <= mostBytes else {
            throw Failure("\(file) is larger than \(mostBytes >> 10) KiB; give --no-ignore")
        }
        let ignoring = IgnoreFile(String(decoding: bytes, as: UTF8.self))
        guard ignoring.rules.count <= mostRules else {
            throw Failure("\(file) has more than \(mostRules) rules; give --no-ignore")
        }
        return ignoring
    }

    /// What the file says of a path below its folder; nil where it says nothing. Its last word
    /// counts.
    func ignores(_ path: [String], isFolder: Bool) -> Bool? {
        rules.last { rule in
            (isFolder || !rule.isForFolders) && rule.glob.matches(path)
        }.map { !$0.isException }
    }

    private static func rule(_ line: Substring) -> Rule? {
        var text = line
        while text.hasSuffix(" "), !text.hasSuffix("\\ ") { text.removeLast() }
        if text.isEmpty || text.hasPrefix("#") { return nil }
        let isException = text.hasPrefix("!")
        if isException { text.removeFirst() }
        let isForFolders = text.hasSuffix("/")
        if isForFolders { text.removeLast() }
        // One with a slash is for a place, any other for a name wherever it is.
        let pattern = text.contains("/") ? String(text) : "**/" + text
        // Reason for `try?`: Git passes over what is no pattern, too.
        guard let glob = try? PathGlob(pattern), !glob.parts.isEmpty else { return nil }
        return Rule(glob: glob, isException: isException, isForFolders: isForFolders)
    }
}
