import Foundation

/// All text files of the repository, or a made-up one for a rule's own test.
struct Repository: Sendable {
    let files: [SourceFile]
    /// Every file and folder, for links.
    let paths: Set<String>

    init(_ files: [SourceFile]) {
        self.files = files
        paths = Set(files.map(\.path))
    }

    /// What `.gitignore` names, and git's own folder.
    static let ignored: Set = [
        ".git", ".build", ".tenure", ".swiftpm", "Package.resolved", ".DS_Store", "__pycache__",
    ]

    /// A bigger one is data, not text that somebody wrote.
    static let largestFile = 1 << 20

    static let here = Repository(
        root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    private init(root: URL) {
        var files: [SourceFile] = []
        var paths: Set<String> = []
        let walk = FileManager.default.enumerator(atPath: root.path())
        while let path = walk?.nextObject() as? String {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if Self.ignored.contains(name) || name.hasSuffix(".xcodeproj") {
                walk?.skipDescendants()
                continue
            }
            paths.insert(path)
            // A link's text is judged where it lies: the tutorial shows files of tests. Reason for
            // `try?`: what is no link has no destination.
            let file = root.appending(path: path).path()
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) != nil {
                continue
            }
            // Reason for `try?`: folders and files that aren't UTF-8 are not text.
            guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8),
                text.utf8.count < Self.largestFile
            else { continue }
            files.append(SourceFile(path, text))
        }
        self.files = files
        self.paths = paths
    }

    var swift: [SourceFile] { files.filter { $0.swift != nil } }
    var sources: [SourceFile] { swift.filter(\.isSource) }
    var ours: [SourceFile] { files.filter { !$0.isFixture } }
}
